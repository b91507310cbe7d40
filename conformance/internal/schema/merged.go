package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Merged is the alternative of an anyOf or oneOf that was merged into a schema, so that
// its keywords are tried as those of any other schema.
type Merged struct {
	Keyword string // anyOf or oneOf
	Name    string // of the alternative
	Index   int
	Of      int       // how many there are
	Pointer string    // of the alternative
	All     []*Schema // the alternatives, each by itself
	// Member and Value are what the discriminator says of a value of this alternative;
	// empty without one.
	Member, Value string
	// Others are what it says of the values of the other alternatives.
	Others []string
}

// Alternatives is a list of alternatives that are objects.
type Alternatives struct {
	At    string   // pointer of the list
	Names []string // of the alternatives
}

// alternatives returns the list at a pointer, or false if not all alternatives
// are objects, or there is only one.
func (f *flattener) alternatives(at string, v *jsontree.Value) (Alternatives, bool) {
	out := Alternatives{At: at}
	if len(v.Items) < 2 {
		return out, false
	}
	for i := range v.Items {
		pointer := at + "/" + strconv.Itoa(i)
		if !f.isObject(pointer, 0) {
			return out, false
		}
		name := "alternative " + strconv.Itoa(i+1)
		if ref := f.root.At(pointer).Get("$ref"); ref != nil {
			name = f.names.Of(jsontree.FromFragment(ref.Text))
		}
		out.Names = append(out.Names, name)
	}
	return out, true
}

// isObject reports whether the schema at a pointer is one of objects, as far as it says so
// itself.
func (f *flattener) isObject(pointer string, depth int) bool {
	node := f.root.At(pointer)
	if node == nil || node.Kind != jsontree.Object || depth > leanDepth {
		return false
	}
	if kind := node.Get("type"); kind != nil {
		return slices.Equal(kind.Texts(), []string{"object"})
	}
	if node.Get("properties") != nil || node.Get("required") != nil {
		return true
	}
	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		return f.isObject(jsontree.FromFragment(ref.Text), depth+1)
	}
	if all := node.Get("allOf"); all != nil {
		for i := range all.Items {
			if f.isObject(pointer+"/allOf/"+strconv.Itoa(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// alternative merges the chosen one of a list of alternatives into s. It returns false if
// the list is to be kept as it is.
func (f *flattener) alternative(s *Schema, pointer, name string, v *jsontree.Value) bool {
	at := pointer + "/" + name
	list, ok := f.alternatives(at, v)
	if !ok {
		return false
	}
	if !slices.ContainsFunc(f.sites, func(known Alternatives) bool { return known.At == at }) {
		f.sites = append(f.sites, list)
	}
	if f.choose == nil || slices.Contains(f.stack[:len(f.stack)-1], pointer) {
		return false // a schema inside itself keeps its alternatives
	}
	c := Merged{Keyword: name, Name: list.Names[f.choose[at]], Index: f.choose[at], Of: len(v.Items)}
	c.Pointer = at + "/" + strconv.Itoa(c.Index)
	s.Source.set(name, pointer)
	kept := s.Name
	f.merge(s, c.Pointer)
	s.Name = kept
	c.Member, c.Value = f.discriminated(pointer, c.Pointer)
	if p := s.Property(c.Member); p != nil && p.Schema.Const == nil {
		p.Schema.Const = jsontree.NewString(c.Value)
	}
	c.All = f.list(at, v, 1)
	for i := range v.Items {
		if _, value := f.discriminated(pointer, at+"/"+strconv.Itoa(i)); i != c.Index && value != "" && value != c.Value {
			c.Others = append(c.Others, value)
		}
	}
	s.Merged = append(s.Merged, c)
	return true
}

// discriminated returns the member and the value with which the discriminator of the
// schema at a pointer tells an alternative from the others (OpenAPI 3.1, 4.8.25).
func (f *flattener) discriminated(pointer, alternative string) (member, value string) {
	d := f.root.At(pointer).Get("discriminator")
	ref := f.root.At(alternative).Get("$ref")
	if d == nil || d.Kind != jsontree.Object || ref == nil {
		return "", ""
	}
	target := jsontree.FromFragment(ref.Text)
	value = f.names.Of(target)
	if mapping := d.Get("mapping"); mapping != nil {
		for _, m := range mapping.Members {
			if m.Value.Text == ref.Text || m.Value.Text == value || jsontree.FromFragment(m.Value.Text) == target {
				value = m.Name
				break
			}
		}
	}
	return d.TextAt("/propertyName"), value
}

// merged collects the alternatives that were merged, by the path of their values.
func merged(s *Schema, path string, depth int, out map[string][]Merged) {
	if s == nil || depth > flattenDepth {
		return
	}
	out[path] = append(out[path], s.Merged...)
	for _, p := range s.Properties {
		merged(p.Schema, path+"/"+jsontree.EscapePointer(p.Name), depth+1, out)
	}
	for _, item := range s.Prefix {
		merged(item, path+"/*", depth+1, out)
	}
	merged(s.Items, path+"/*", depth+1, out)
}

// same reports whether two alternatives are of the same kind, as their discriminators or else
// their names say.
func (m *Merged) same(other *Merged) bool {
	if m.Member != "" && other.Member != "" {
		return m.Member == other.Member && m.Value == other.Value
	}
	return m.Name == other.Name
}

// claimed reports whether the discriminator says that a value is one of another alternative.
func (m *Merged) claimed(v *jsontree.Value) bool {
	if m.Member == "" || v == nil || v.Kind != jsontree.Object {
		return false
	}
	kind := v.Get(m.Member)
	return kind != nil && kind.Kind == jsontree.String && slices.Contains(m.Others, kind.Text)
}

// other returns why a valid value may be refused where its schema is that of one
// alternative: it is one of another alternative, or the discriminator says so. It is empty
// if the value is one of the alternative.
func (s *Shape) other(of *Schema, v *jsontree.Value) string {
	for _, c := range of.Merged {
		if ok, known := keeps(s.branch(c.Pointer), v.Native()); !ok || !known {
			return "a value of another alternative"
		}
		if c.Member == "" {
			continue
		}
		if m := v.Get(c.Member); m == nil || m.Kind != jsontree.String || m.Text != c.Value {
			return "another alternative than the discriminator says"
		}
	}
	return ""
}

// InCommon counts the values of which two shapes have the same alternative.
func (s *Shape) InCommon(other *Shape) int {
	n := 0
	for path, list := range s.merged {
		for i, c := range list {
			if others := other.merged[path]; i < len(others) && c.same(&others[i]) {
				n++
			}
		}
	}
	return n
}

// PlaceOf identifies a schema at a place by where its keywords stand.
func PlaceOf(path string, s *Schema, need string) string {
	return strings.Join([]string{path, s.Pointer, need, fmt.Sprint(s.Source.list)}, "\x00")
}

// Places notes the places of the schema and of those inside it.
func (s *Schema) Places(told map[string]bool) { s.places(told, "", "", 0) }

func (s *Schema) places(told map[string]bool, path, need string, depth int) {
	if s == nil || depth > flattenDepth {
		return
	}
	told[PlaceOf(path, s, need)] = true
	for _, p := range s.Properties {
		p.Schema.places(told, path+"/"+jsontree.EscapePointer(p.Name), p.Need, depth+1)
	}
	for _, item := range s.Prefix {
		item.places(told, path+"/*", "", depth+1)
	}
	s.Items.places(told, path+"/*", "", depth+1)
	s.Extra.places(told, path+"/*", "", depth+1)
}

// Choosing returns a shape whose schema is that of some alternatives, by the places of their lists; the
// first of a list that is not named. The exact judge asks for all.
func (s *Shape) Choosing(choose map[string]int, maximum int) *Shape {
	one := flatten(s.document.roots[s.Direction], s.pointer, maximum, s.document.names, choose)
	one.schema.Pointer = s.Schema.Pointer
	out := s.document.newShape(s.Direction, one, s.exact, s.pointer)
	out.Patch, out.merged = s.Patch, map[string][]Merged{}
	merged(one.schema, "", 0, out.merged)
	return out
}

// Branch returns then or else, whichever applies to a value, or nil if there is none.
func (s *Shape) Branch(c Condition, v *jsontree.Value) *Schema {
	if s.Matches(c.If, v) {
		return c.Then
	}
	return c.Else
}

// For returns the schema of an object with what its conditions say of a value.
func (s *Shape) For(of *Schema, v *jsontree.Value) *Schema {
	out := of
	for _, c := range of.Conditions {
		if part := s.Branch(c, v); part != nil {
			out = out.Within(s.For(part, v))
		}
	}
	return out
}

// Within returns a schema with the keywords of a part of it, and its own where the part has none. Generators
// need no more: the exact judge tells whether a value keeps both.
func (s *Schema) Within(part *Schema) *Schema {
	out := *s
	out.Types, out.Enum, out.Prefix = either(part.Types, s.Types), either(part.Enum, s.Enum), either(part.Prefix, s.Prefix)
	out.AnyOf, out.OneOf = either(part.AnyOf, s.AnyOf), either(part.OneOf, s.OneOf)
	out.Format, out.Pattern = cmp.Or(part.Format, s.Format), cmp.Or(part.Pattern, s.Pattern)
	out.Items, out.Contains, out.Const = cmp.Or(part.Items, s.Items), cmp.Or(part.Contains, s.Contains), cmp.Or(part.Const, s.Const)
	out.MinItems, out.MaxItems = cmp.Or(part.MinItems, s.MinItems), cmp.Or(part.MaxItems, s.MaxItems)
	out.MinLength, out.MaxLength = cmp.Or(part.MinLength, s.MinLength), cmp.Or(part.MaxLength, s.MaxLength)
	out.MinProps, out.MaxProps = cmp.Or(part.MinProps, s.MinProps), cmp.Or(part.MaxProps, s.MaxProps)
	out.Minimum, out.Maximum = cmp.Or(part.Minimum, s.Minimum), cmp.Or(part.Maximum, s.Maximum)
	out.Above, out.Below, out.Multiple = cmp.Or(part.Above, s.Above), cmp.Or(part.Below, s.Below), cmp.Or(part.Multiple, s.Multiple)
	out.Unique, out.Never = s.Unique || part.Unique, s.Never || part.Never
	if part.Pattern != "" || part.Format != "" {
		out.Code, out.Told = part.Code, part.Told // what a name tells is a guess
	}
	out.Properties = slices.Clone(s.Properties)
	for _, p := range part.Properties {
		at := slices.IndexFunc(out.Properties, func(own *Property) bool { return own.Name == p.Name })
		if at < 0 {
			out.Properties = append(out.Properties, p)
			continue
		}
		own := *out.Properties[at]
		own.Schema, own.Required = own.Schema.Within(p.Schema), own.Required || p.Required
		out.Properties[at] = &own
	}
	return &out
}

// either returns the first list, or the second where the first is empty.
func either[T any](first, second []T) []T {
	if len(first) > 0 {
		return first
	}
	return second
}

// All returns the conditions of a schema, and those inside then and else.
func (s *Schema) All() []Condition {
	var out []Condition
	for _, c := range s.Conditions {
		out = append(out, c)
		for _, part := range c.Parts() {
			out = append(out, part.All()...)
		}
	}
	return out
}
