package crud

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// check judges a JSON value at a place and returns the value to go on with: one of
// the right type, without unknown members.
type check func(c *call, at string, v any) any

// text has the keywords of a string. The zero value of a keyword means that it is
// absent.
type text struct {
	min, max int
	pattern  *regexp.Regexp
	format   string
	enum     []string
}

// check judges a text, each keyword by itself.
func (t text) check(c *call, at, v string) {
	n := utf8.RuneCountInString(v)
	c.must(n >= t.min, at, "minLength", fmt.Sprintf("must have at least %d characters", t.min))
	c.must(t.max == 0 || n <= t.max, at, "maxLength", fmt.Sprintf("must have at most %d characters", t.max))
	c.must(t.pattern == nil || t.pattern.MatchString(v), at, "pattern", "must have the pattern")
	c.must(hasFormat(t.format, v), at, "format", "must have the format "+t.format)
	c.must(t.enum == nil || slices.Contains(t.enum, v), at, "enum", "must be one of "+strings.Join(t.enum, ", "))
}

// is checks a string.
func (t text) is(c *call, at string, v any) any {
	s, ok := v.(string)
	if !c.must(ok, at, "type", "must be a string") {
		return fmt.Sprint(v)
	}
	t.check(c, at, s)
	return s
}

// is checks a number. 1.0 and 1e2 are integers.
func (b bounds) is(c *call, at string, v any) any {
	n, ok := v.(json.Number)
	if b.integer && ok {
		ok = decimal(n.String()).IsInt() && !(c.has("fractions-refused") && strings.ContainsAny(n.String(), ".eE"))
	}
	if !c.must(ok, at, "type", "must be a number of its type") {
		return json.Number("1")
	}
	b.check(c, at, decimal(n.String()))
	return n
}

// boolean is the check of true or false.
func boolean(c *call, at string, v any) any {
	b, ok := v.(bool)
	if !c.must(ok, at, "type", "must be true or false") {
		return true
	}
	return b
}

// nullable allows null too.
func nullable(other check) check {
	return func(c *call, at string, v any) any {
		if v == nil {
			return nil
		}
		return other(c, at, v)
	}
}

// readOnly refuses a member that only the service may set, as a variant does.
func readOnly(other check) check {
	return func(c *call, at string, v any) any {
		c.must(!c.has("read-only-refused"), at, "readOnly", "is the service's to give")
		return other(c, at, v)
	}
}

// list has the keywords of an array; a max of 0 is absent.
type list struct {
	min, max int
	unique   bool
	items    check
}

func (l list) is(c *call, at string, v any) any {
	all, ok := v.([]any)
	if !c.must(ok, at, "type", "must be an array") {
		return []any{}
	}
	l.count(c, at, len(all))
	seen := map[string]bool{}
	out := make([]any, len(all))
	for i, item := range all {
		out[i] = l.items(c, at+"/*", item)
		key := string(encode(item))
		c.must(!l.unique || !seen[key], at, "uniqueItems", "must have no item twice")
		seen[key] = true
	}
	return out
}

// count judges the number of items.
func (l list) count(c *call, at string, n int) {
	c.must(n >= l.min, at, "minItems", fmt.Sprintf("must have at least %d items", l.min))
	c.must(l.max == 0 || n <= l.max, at, "maxItems", fmt.Sprintf("must have at most %d items", l.max))
}

// texts judges the items of a parameter.
func (l list) texts(c *call, at string, items []string) {
	all := make([]any, len(items))
	for i, s := range items {
		all[i] = s
	}
	l.is(c, at, all)
}

// object has the keywords of an object. A closed one allows no other members; an
// open one ignores them.
type object struct {
	required []string
	closed   bool
	min      int
	members  map[string]check
}

func (o object) is(c *call, at string, v any) any {
	m, ok := v.(map[string]any)
	if !c.must(ok, at, "type", "must be an object") {
		return map[string]any{}
	}
	for _, name := range o.required {
		_, there := m[name]
		c.must(there, at+"/"+name, "required", "must be there")
	}
	c.must(len(m) >= o.min, at, "minProperties", fmt.Sprintf("must have at least %d members", o.min))
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		member := m[name]
		judge, known := o.members[name]
		switch {
		case known:
			out[name] = judge(c, at+"/"+name, member)
		case o.closed:
			c.must(false, at, "additionalProperties", "has an unknown member")
		case c.has("unknown-members-refused"):
			c.must(false, at+"/"+name, "name", "is no member here")
		}
	}
	return out
}

// whole writes a whole number.
func whole(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
