package crud

import (
	"regexp"
	"strconv"
	"strings"
)

// The patterns of the document.
var (
	labelPattern   = regexp.MustCompile(`^[a-z]{2,8}$`)
	zipPattern     = regexp.MustCompile(`^[0-9]{5}$`)
	countryPattern = regexp.MustCompile(`^[A-Z]{2}$`)
	tagPattern     = regexp.MustCompile(`^[a-z]{1,20}$`)
	matchPattern   = regexp.MustCompile(`^(\*|"[!#-~]+")$`)
	codePattern    = regexp.MustCompile(`^[A-Z]{2,5}-[0-9]{1,4}$`)
	cursorPattern  = regexp.MustCompile(`^c[0-9]{1,9}$`)
	lettersPattern = regexp.MustCompile(`^[a-z]+$`)
	filePattern    = regexp.MustCompile(`^[a-z0-9]{1,40}$`)
	monthPattern   = regexp.MustCompile(`^(0[1-9]|1[0-2])$`)
)

func (c *call) limit() int  { return c.number("limit", 20, 1, 100) }
func (c *call) offset() int { return c.number("offset", 0, 0, 1000000) }

// number reads a query parameter that is a whole number. The other value stands for
// one that is not there or breaks its bounds.
func (c *call) number(name string, other, low, high int) int {
	p, at, given := c.query(name)
	if !given {
		return other
	}
	bounds{integer: true, min: strconv.Itoa(low), max: strconv.Itoa(high)}.text(c, at, p.value)
	return within(p.value, other, low, high)
}

// within reads a whole number. The other one stands for text that is none in the range.
func within(text string, other, low, high int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return other
	}
	return n
}

// projectPath finds the project that the path names, nil if there is none. The
// store is locked.
func (c *call) projectPath() *project {
	id, at := c.segment("projectId")
	bounds{integer: true, long: true, min: "1"}.text(c, at, id)
	p := c.store.project(id)
	c.missing = p == nil
	return p
}

// taskPath finds the task that the path names. The store is locked.
func (c *call) taskPath() (*project, *task) {
	id, at := c.segment("taskId")
	text{format: "uuid"}.check(c, at, id)
	p := c.projectPath()
	if p == nil {
		return nil, nil
	}
	t := p.task(id)
	c.missing = t == nil
	return p, t
}

// flag is a boolean as text.
func (c *call) flag(at, value string) bool {
	if c.has("booleans-any-case") {
		value = strings.ToLower(value)
	}
	c.must(value == "true" || value == "false", at, "type", "must be true or false")
	return value == "true"
}

// split cuts an array apart. Without text it has no items, not an empty one.
func split(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}
