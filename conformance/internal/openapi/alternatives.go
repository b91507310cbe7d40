package openapi

import (
	"fmt"
	"maps"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// mostAlternatives is how many further alternatives of the body of one operation are
// tried.
const mostAlternatives = 12

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
			if len(out) == mostAlternatives {
				l.leaveOut("%s: %d alternatives of the body are tried, and not the others (%s)", op.Title(), mostAlternatives+1, l.c.Clause(s.at))
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
	one := flatten(l.js.roots[s.Direction], s.pointer, l.most[s.Direction], l.c.Clause, choose)
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
	for _, one := range other.Further {
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
