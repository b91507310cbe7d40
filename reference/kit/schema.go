package kit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Judge is told what breaks a schema: a request on its way to an answer.
type Judge interface {
	// Must notes that a value breaks a keyword at a place, unless ok. It returns ok.
	Must(ok bool, at, keyword, message string) bool
	// Has reports whether the service has a variant, for those that read otherwise.
	Has(variant string) bool
}

// Schema judges a JSON value at a place and returns the value to go on with: one of
// the right type, without unknown members.
type Schema func(j Judge, at string, v any) any

// Text has the keywords of a string. The zero value of a keyword means that it is
// absent.
type Text struct {
	Min, Max int
	Pattern  *regexp.Regexp
	Format   string
	Enum     []string
}

// Check judges a text, each keyword by itself.
func (t Text) Check(j Judge, at, v string) {
	n := utf8.RuneCountInString(v)
	j.Must(n >= t.Min, at, "minLength", fmt.Sprintf("must have at least %d characters", t.Min))
	j.Must(t.Max == 0 || n <= t.Max, at, "maxLength", fmt.Sprintf("must have at most %d characters", t.Max))
	j.Must(t.Pattern == nil || t.Pattern.MatchString(v), at, "pattern", "must have the pattern")
	j.Must(HasFormat(t.Format, v), at, "format", "must have the format "+t.Format)
	j.Must(t.Enum == nil || slices.Contains(t.Enum, v), at, "enum", "must be one of "+strings.Join(t.Enum, ", "))
}

// Is judges a string.
func (t Text) Is(j Judge, at string, v any) any {
	s, ok := v.(string)
	if !j.Must(ok, at, "type", "must be a string") {
		return fmt.Sprint(v)
	}
	t.Check(j, at, s)
	return s
}

// Boolean is the check of true or false.
func Boolean(j Judge, at string, v any) any {
	b, ok := v.(bool)
	if !j.Must(ok, at, "type", "must be true or false") {
		return true
	}
	return b
}

// Nullable allows null too.
func Nullable(other Schema) Schema {
	return func(j Judge, at string, v any) any {
		if v == nil {
			return nil
		}
		return other(j, at, v)
	}
}

// ReadOnly refuses a member that only the service may set, as a variant does.
func ReadOnly(other Schema) Schema {
	return func(j Judge, at string, v any) any {
		j.Must(!j.Has("read-only-refused"), at, "readOnly", "is the service's to give")
		return other(j, at, v)
	}
}

// List has the keywords of an array; a max of 0 is absent.
type List struct {
	Min, Max int
	Unique   bool
	Items    Schema
}

// Is judges an array.
func (l List) Is(j Judge, at string, v any) any {
	all, ok := v.([]any)
	if !j.Must(ok, at, "type", "must be an array") {
		return []any{}
	}
	l.count(j, at, len(all))
	seen := map[string]bool{}
	out := make([]any, len(all))
	for i, item := range all {
		out[i] = l.Items(j, at+"/*", item)
		key := string(Encode(item))
		j.Must(!l.Unique || !seen[key], at, "uniqueItems", "must have no item twice")
		seen[key] = true
	}
	return out
}

// count judges the number of items.
func (l List) count(j Judge, at string, n int) {
	j.Must(n >= l.Min, at, "minItems", fmt.Sprintf("must have at least %d items", l.Min))
	j.Must(l.Max == 0 || n <= l.Max, at, "maxItems", fmt.Sprintf("must have at most %d items", l.Max))
}

// Texts judges the items of a parameter.
func (l List) Texts(j Judge, at string, items []string) {
	all := make([]any, len(items))
	for i, s := range items {
		all[i] = s
	}
	l.Is(j, at, all)
}

// Object has the keywords of an object. A closed one allows no other members; an
// open one ignores them.
type Object struct {
	Required []string
	Closed   bool
	Min      int
	Members  map[string]Schema
}

// Is judges an object.
func (o Object) Is(j Judge, at string, v any) any {
	m, ok := v.(map[string]any)
	if !j.Must(ok, at, "type", "must be an object") {
		return map[string]any{}
	}
	for _, name := range o.Required {
		_, there := m[name]
		j.Must(there, at+"/"+name, "required", "must be there")
	}
	j.Must(len(m) >= o.Min, at, "minProperties", fmt.Sprintf("must have at least %d members", o.Min))
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		member := m[name]
		judge, known := o.Members[name]
		switch {
		case known:
			out[name] = judge(j, at+"/"+name, member)
		case o.Closed:
			j.Must(false, at, "additionalProperties", "has an unknown member")
		case j.Has("unknown-members-refused"):
			j.Must(false, at+"/"+name, "name", "is no member here")
		}
	}
	return out
}
