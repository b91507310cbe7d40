package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// finite finds schemas that no finite value satisfies, because each value must
// contain another of its kind, or because the schema is nothing but a reference to
// itself. In doubt it accepts the schema.
//
// It looks for the least set of schemas that end: in each pass a reference counts
// as endless until it is known to end, and passes follow until one finds nothing
// new.
type finite struct {
	root *jsontree.Value
	ends map[string]bool // references that are known to end
	seen map[string]bool // references that this pass has followed
	more bool            // this pass found one that ends
	// chain is the place of the first reference that led back to itself.
	chain string
	open  map[string]bool
}

func newFinite(root *jsontree.Value) *finite {
	return &finite{root: root, ends: map[string]bool{}}
}

// How much is examined before the document is accepted.
const (
	finiteDepth  = 2000
	finitePasses = 50
)

// at reports whether a finite value satisfies the schema at a pointer.
func (f *finite) at(pointer string) bool {
	for range finitePasses {
		f.seen, f.open, f.more, f.chain = map[string]bool{}, map[string]bool{}, false, ""
		if f.schema(pointer, 0) {
			return true
		}
		if !f.more {
			return false
		}
	}
	return true
}

func (f *finite) schema(pointer string, depth int) bool {
	v := f.root.At(pointer)
	if v == nil || v.Kind != jsontree.Object || depth > finiteDepth {
		return true
	}
	if v.Get("enum") != nil || v.Get("const") != nil {
		return true
	}
	if ref := v.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") && !f.follow(jsontree.FromFragment(ref.Text), pointer, depth) {
		return false
	}
	if all := v.Get("allOf"); all != nil {
		for i := range all.Items {
			if !f.schema(pointer+"/allOf/"+strconv.Itoa(i), depth+1) {
				return false
			}
		}
	}
	for _, some := range []string{"oneOf", "anyOf"} {
		list := v.Get(some)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		found := false
		for i := range list.Items {
			found = found || f.schema(pointer+"/"+some+"/"+strconv.Itoa(i), depth+1)
		}
		if !found {
			return false
		}
	}
	return f.alone(v, pointer, depth)
}

// alone examines what the keywords of one schema require of members and items. A
// value of another type need not have them.
func (f *finite) alone(v *jsontree.Value, pointer string, depth int) bool {
	t := v.Get("type")
	if t == nil {
		return true
	}
	for _, name := range t.Texts() {
		switch name {
		case "object":
			if f.object(v, pointer, depth) {
				return true
			}
		case "array":
			if f.array(v, pointer, depth) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (f *finite) object(v *jsontree.Value, pointer string, depth int) bool {
	required, properties := v.Get("required"), v.Get("properties")
	if required == nil || properties == nil {
		return true
	}
	needed := required.Texts()
	for _, m := range properties.Members {
		if slices.Contains(needed, m.Name) && !f.schema(pointer+"/properties/"+jsontree.EscapePointer(m.Name), depth+1) {
			return false
		}
	}
	return true
}

func (f *finite) array(v *jsontree.Value, pointer string, depth int) bool {
	minimum := v.Get("minItems")
	if minimum == nil || v.Get("items") == nil || v.Get("prefixItems") != nil {
		return true
	}
	if n, ok := jsontree.Int64(minimum.Text); !ok || n < 1 {
		return true
	}
	return f.schema(pointer+"/items", depth+1)
}

func (f *finite) follow(target, from string, depth int) bool {
	if f.ends[target] {
		return true
	}
	if f.open[target] && f.chain == "" {
		f.chain = from
	}
	if f.seen[target] {
		return false
	}
	f.seen[target], f.open[target] = true, true
	if f.schema(target, depth+1) {
		f.ends[target], f.more = true, true
	}
	delete(f.open, target)
	return f.ends[target]
}

// Limits of how many schemas may be applied to one value before the exact judge
// gives up: nested alternatives multiply, and a validator cannot be stopped. The
// limit grows with the value, so that a long answer is judged like a short one.
const (
	minSteps   = 200_000
	valueSteps = 32  // for each value in it
	maxPlaces  = 200 // schemas around one place: what refers to itself has no end
)

// tooMany is the reason of an undecided value that would take more steps.
const tooMany = "more alternatives than can be tried"

// TooMuch reports whether a body is undecided because of its alternatives.
func (r *Reading) TooMuch() bool { return r.Kind == Undecided && r.Open == tooMany }

// steps counts how many schemas a validator would apply to a value. It stops at the
// limit, which it then returns.
func steps(s *jsonschema.Schema, v any) (taken int, within bool) {
	c := counter{left: minSteps + valueSteps*values(v)}
	maximum := c.left
	c.value(s, v, 0)
	return maximum - max(c.left, 0), c.left >= 0
}

func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += values(item)
		}
	case map[string]any:
		for _, item := range v {
			n += values(item)
		}
	}
	return n
}

type counter struct{ left int }

// value follows the validator as if it had to try every branch; around counts the
// schemas that apply to the same value.
func (c *counter) value(s *jsonschema.Schema, v any, around int) {
	if c.left--; s == nil || s.Bool != nil || c.left < 0 || around > maxPlaces {
		return
	}
	for _, one := range []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else} {
		if one != nil {
			c.value(one, v, around+1)
		}
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, one := range list {
			c.value(one, v, around+1)
		}
	}
	if s.Enum != nil {
		c.left -= len(s.Enum.Values) / 16
		if _, ok := v.(json.Number); ok {
			c.left -= len(s.Enum.Values) / 2 // each is read as a number again
		}
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, around)
	case []any:
		c.array(s, v)
	case string:
		c.left -= len(v) / 64
		if m, ok := s.Pattern.(matcher); ok {
			c.match(m, v)
		}
	case json.Number:
		c.left -= len(v) / 64
	}
}

func (c *counter) object(s *jsonschema.Schema, v map[string]any, around int) {
	extra, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for name, member := range v {
		if c.left < 0 {
			return
		}
		own := s.Properties[name]
		if own != nil {
			c.value(own, member, 0)
		}
		for re, below := range s.PatternProperties {
			if c.left--; c.match(re.(matcher), name) {
				own = below
				c.value(below, member, 0)
			}
		}
		if own == nil && extra != nil {
			c.value(extra, member, 0)
		}
		if s.PropertyNames != nil {
			c.value(s.PropertyNames, name, 0)
		}
		if s.UnevaluatedProperties != nil {
			c.value(s.UnevaluatedProperties, member, 0)
		}
	}
	for name, below := range s.DependentSchemas {
		if _, has := v[name]; has {
			c.value(below, v, around+1)
		}
	}
}

func (c *counter) array(s *jsonschema.Schema, v []any) {
	for i, item := range v {
		if c.left < 0 {
			return
		}
		switch {
		case i < len(s.PrefixItems):
			c.value(s.PrefixItems[i], item, 0)
		case s.Items2020 != nil:
			c.value(s.Items2020, item, 0)
		}
		if s.Contains != nil {
			c.value(s.Contains, item, 0)
		}
		if s.UnevaluatedItems != nil {
			c.value(s.UnevaluatedItems, item, 0)
		}
	}
}

// patternSteps is how many steps of a pattern count as one schema.
const patternSteps = 64

// match reports whether a pattern matches. A pattern that is not known is tried.
func (c *counter) match(m matcher, text string) bool {
	answer, took := m.Decide(text)
	c.left -= took / patternSteps
	return answer != pattern.No
}
