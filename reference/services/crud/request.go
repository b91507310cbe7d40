package crud

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference/kit"
)

// call is one request on its way to an answer. It collects everything that is
// wrong with the request; [call.refused] then chooses the answer.
type call struct {
	*server
	request *http.Request
	op      *operation
	path    map[string]string
	pairs   []pair
	body    []byte
	// problems are what breaks the document.
	problems []any
	// early is a refusal that comes before the problems; missing says that what
	// the path names does not exist.
	early   *answer
	missing bool
}

// pair is one query parameter, raw and decoded.
type pair struct{ name, raw, value string }

// must notes that a request breaks a keyword at a place, unless this check is
// left out. It returns ok.
func (c *call) Must(ok bool, at, keyword, message string) bool {
	if !ok && !c.skips[c.op.name+"/"+at+"/"+keyword] {
		c.problems = append(c.problems, map[string]any{"at": at, "message": message})
	}
	return ok
}

// refused returns the answer to a request that cannot be served, or nil. A wrong
// media type comes before what breaks the document, and that before what does not
// exist.
func (c *call) refused() *answer {
	switch {
	case c.early != nil:
		return c.early
	case c.missing && (len(c.problems) == 0 || c.Has("not-found-first")):
		return refusal(http.StatusNotFound, "there is no such thing")
	case len(c.problems) == 0:
		return nil
	}
	status := http.StatusBadRequest
	if c.Has("unprocessable") && c.op.media != "" && c.op.name != "writeNote" && c.inBody() {
		status = http.StatusUnprocessableEntity
	}
	a := refusal(status, "the request breaks the document")
	a.value.(map[string]any)["errors"] = c.problems
	return a
}

// inBody reports whether all problems are in a body that was read.
func (c *call) inBody() bool {
	return !slices.ContainsFunc(c.problems, func(p any) bool {
		return !strings.HasPrefix(p.(map[string]any)["at"].(string), "body/")
	})
}

// readQuery splits the query. A parameter that is not the operation's is
// ignored, or refused where the variant asks for it.
func (c *call) readQuery() {
	for _, part := range strings.Split(c.request.URL.RawQuery, "&") {
		if part == "" {
			continue
		}
		rawName, raw, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(raw)
		if !c.Must(err1 == nil && err2 == nil, "query", "encoding", "must be percent-encoded") {
			continue
		}
		c.pairs = append(c.pairs, pair{name, raw, value})
		if c.Has("unknown-query-refused") {
			c.Must(slices.Contains(c.op.query, name) || strings.HasPrefix(name, "budget"), "query/"+name, "name", "is no parameter here")
		}
	}
}

// query returns a query parameter. One that is there twice is refused, unless a
// variant says which one counts.
func (c *call) query(name string) (p pair, at string, given bool) {
	at = "query/" + name
	var all []pair
	for _, p := range c.pairs {
		if p.name == name {
			all = append(all, p)
		}
	}
	switch {
	case len(all) == 0:
		return p, at, false
	case len(all) > 1 && c.Has("repeated-last"):
		return all[len(all)-1], at, true
	case len(all) > 1 && !c.Has("repeated-first"):
		c.Must(false, at, "repeated", "must be there once")
	}
	return all[0], at, true
}

// header returns a header field; several lines are one list (RFC 9110, 5.3).
func (c *call) header(name string) (value, at string, given bool) {
	lines := c.request.Header.Values(name)
	return strings.Join(lines, ","), "header/" + name, len(lines) > 0
}

// cookie returns the first cookie with that name.
func (c *call) cookie(name string) (value, at string, given bool) {
	for _, line := range c.request.Header.Values("Cookie") {
		for _, part := range strings.Split(line, ";") {
			if n, raw, _ := strings.Cut(strings.TrimSpace(part), "="); n == name {
				value, err := url.PathUnescape(raw)
				c.Must(err == nil, "cookie/"+name, "encoding", "must be percent-encoded")
				return value, "cookie/" + name, true
			}
		}
	}
	return "", "cookie/" + name, false
}

// segment returns a path parameter, decoded.
func (c *call) segment(name string) (value, at string) {
	value, err := url.PathUnescape(c.path[name])
	c.Must(err == nil, "path/"+name, "encoding", "must be percent-encoded")
	return value, "path/" + name
}

// requestID checks the field X-Request-Id where the path has it.
func (c *call) requestID() {
	if value, at, given := c.header("X-Request-Id"); given {
		kit.Text{Format: "uuid"}.Check(c, at, value)
	}
}

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
	kit.Number{Integer: true, Min: strconv.Itoa(low), Max: strconv.Itoa(high)}.Read(c, at, p.value)
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
	kit.Number{Integer: true, Long: true, Min: "1"}.Read(c, at, id)
	p := c.store.project(id)
	c.missing = p == nil
	return p
}

// taskPath finds the task that the path names. The store is locked.
func (c *call) taskPath() (*project, *task) {
	id, at := c.segment("taskId")
	kit.Text{Format: "uuid"}.Check(c, at, id)
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
	if c.Has("booleans-any-case") {
		value = strings.ToLower(value)
	}
	c.Must(value == "true" || value == "false", at, "type", "must be true or false")
	return value == "true"
}

// split cuts an array apart. Without text it has no items, not an empty one.
func split(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}

// maxBytes is the longest body.
const maxBytes = 1 << 20

// readBody reads the body and checks its media type.
func (c *call) readBody() {
	body, err := io.ReadAll(http.MaxBytesReader(nil, c.request.Body, maxBytes))
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		c.early = refusal(http.StatusRequestEntityTooLarge, "the body is longer than 1 MiB")
		return
	}
	given := c.request.Header.Get("Content-Type")
	there := err == nil && (len(body) > 0 || given != "")
	if len(body) == 0 && c.Has("body-optional") && c.op.name == "createUser" {
		body, given, there = []byte(`{"name":"nobody","email":"no@example.com","password":"password"}`), c.op.media, true
	}
	if !c.Must(there, "body", "required", "must be there") {
		return
	}
	c.body = body
	media, parameters, err := mime.ParseMediaType(given)
	charset := strings.ToLower(parameters["charset"])
	known := err == nil && media == c.op.media && (charset == "" || charset == "utf-8") && c.request.Header.Get("Content-Encoding") == ""
	if !known && !c.Has("media-type-not-checked") {
		c.early = refusal(http.StatusUnsupportedMediaType, "the body must be "+c.op.media)
	}
}

// json reads the body as JSON and judges it.
func (c *call) json(judge kit.Schema) any {
	if c.early != nil || c.body == nil {
		return map[string]any{}
	}
	if !c.Must(len(c.body) > 0, "body", "required", "must be there") {
		return map[string]any{}
	}
	v, ok := kit.ReadJSON(c.body, jsontext.AllowDuplicateNames(c.Has("duplicate-names")))
	if !c.Must(ok, "body", "json", "must be JSON") {
		return map[string]any{}
	}
	return judge(c, "body", v)
}
