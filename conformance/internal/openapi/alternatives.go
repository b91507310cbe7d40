package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// maxAlternatives is how many further alternatives of the body of one operation are
// tried.
const maxAlternatives = 12

// narrow makes the body of an operation one of the first alternatives, and returns copies
// of the operation for each further alternative.
func (l *loader) narrow(op *Operation) []*Operation {
	sites := op.Body.Shape.sites
	if len(sites) == 0 {
		return nil
	}
	whole := op.Body.Shape
	first := l.choosing(whole, map[string]int{})
	op.Body = op.Body.with(first)
	told := map[string]bool{}
	tell(told, first.Schema, "", "", 0)
	var out []*Operation
	for _, s := range first.sites {
		for k := 1; k < len(s.names); k++ {
			if len(out) == maxAlternatives {
				l.leaveOut("%s: %d alternatives of the body are tried, and not the others (%s)", op.Title(), maxAlternatives+1, l.c.Clause(s.at))
				return out
			}
			shape := l.choosing(whole, map[string]int{s.at: k})
			one := l.copied(op, op.Body.with(shape), s.names[k])
			one.Alternative, one.told = s.names[k], maps.Clone(told)
			tell(told, shape.Schema, "", "", 0)
			out = append(out, one)
		}
	}
	return out
}

// with returns a copy of a body with another shape.
func (b *Body) with(s *Shape) *Body {
	out := *b
	out.Shape = s
	return &out
}

// choosing returns a shape whose schema is that of some alternatives. The exact judge asks
// for all.
func (l *loader) choosing(s *Shape, choose map[string]int) *Shape {
	one := flatten(l.js.roots[s.Direction], s.pointer, l.maximum[s.Direction], l.c.Clause, choose)
	one.schema.Pointer = s.Schema.Pointer
	out := l.newShape(s.Direction, one, s.exact, s.pointer)
	out.Patch, out.merged = s.Patch, map[string][]Merged{}
	merged(one.schema, "", 0, out.merged)
	return out
}

// Counterpart returns the copy of another operation whose body is of the same alternatives
// as that of this one: what makes a trailer, for what replaces one. It is the other operation
// itself if no copy has more in common.
func (o *Operation) Counterpart(other *Operation) *Operation {
	best := other
	for _, one := range other.Additional {
		if one.Alternative != "" && o.common(one) > o.common(best) {
			best = one
		}
	}
	return best
}

// common counts the values of which the bodies of two operations have the same alternative.
func (o *Operation) common(other *Operation) int {
	n := 0
	if o.Body == nil || other.Body == nil {
		return n
	}
	for path, list := range o.Body.Shape.merged {
		for i, c := range list {
			if others := other.Body.Shape.merged[path]; i < len(others) && c.same(&others[i]) {
				n++
			}
		}
	}
	return n
}

// same reports whether two alternatives are of the same kind, as their discriminators or else
// their names say.
func (m *Merged) same(other *Merged) bool {
	if m.Member != "" && other.Member != "" {
		return m.Member == other.Member && m.Value == other.Value
	}
	return m.Name == other.Name
}

// Told reports whether an alternative before this one has the same schema at a place, so
// that it need not be tried again. Need is where its member is required; it may be empty.
func (o *Operation) Told(path string, s *Schema, need string) bool {
	return o.told[placeOf(path, s, need)]
}

// placeOf identifies a schema at a place by where its keywords stand.
func placeOf(path string, s *Schema, need string) string {
	return strings.Join([]string{path, s.Pointer, need, fmt.Sprint(s.Source.list)}, "\x00")
}

// tell notes the places of a schema.
func tell(told map[string]bool, s *Schema, path, need string, depth int) {
	if s == nil || depth > flattenDepth {
		return
	}
	told[placeOf(path, s, need)] = true
	for _, p := range s.Properties {
		tell(told, p.Schema, path+"/"+jsontree.EscapePointer(p.Name), p.Need, depth+1)
	}
	for _, item := range s.Prefix {
		tell(told, item, path+"/*", "", depth+1)
	}
	tell(told, s.Items, path+"/*", "", depth+1)
	tell(told, s.Extra, path+"/*", "", depth+1)
}

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

// site is a list of alternatives that are objects.
type site struct {
	at    string   // pointer of the list
	names []string // of the alternatives
}

// alternatives returns the list at a pointer as a site, or false if not all alternatives
// are objects, or there is only one.
func (f *flattener) alternatives(at string, v *jsontree.Value) (site, bool) {
	out := site{at: at}
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
			name = nameOf(jsontree.FromFragment(ref.Text))
		}
		out.names = append(out.names, name)
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
	if !slices.ContainsFunc(f.sites, func(known site) bool { return known.at == at }) {
		f.sites = append(f.sites, list)
	}
	if f.choose == nil || slices.Contains(f.stack[:len(f.stack)-1], pointer) {
		return false // a schema inside itself keeps its alternatives
	}
	c := Merged{Keyword: name, Name: list.names[f.choose[at]], Index: f.choose[at], Of: len(v.Items)}
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
	value = nameOf(target)
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
