package contract

import (
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
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
	var out []*Operation
	for _, s := range first.sites {
		for k := 1; k < len(s.names); k++ {
			if len(out) == mostAlternatives {
				l.leaveOut("%s: %d alternatives of the body are tried, and not the others (%s)", op.Title(), mostAlternatives+1, l.c.Clause(s.at))
				return out
			}
			one := &Operation{Slug: l.slugs.Take(op.Slug + "-" + NameSlug(s.names[k])), Method: op.Method, Path: op.Path, Pointer: op.Pointer,
				ID: op.ID, Tags: op.Tags, Parameters: op.Parameters, Params: op.Params, Body: op.Body.with(l.choosing(whole, map[string]int{s.at: k})),
				Responses: op.Responses, Security: op.Security, media: op.media, first: op, Alternative: s.names[k]}
			for _, before := range append([]*Operation{op}, out...) {
				one.tell(before.Body.Shape.Schema, "", "", 0)
			}
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
	one := flatten(l.js.roots[s.Direction], s.pointer, l.most, l.c.Clause, choose)
	one.schema.Pointer = s.Schema.Pointer
	out := &Shape{Schema: one.schema, Size: one.size, Direction: s.Direction, Patch: s.Patch, exact: s.exact, pointer: s.pointer, compiler: s.compiler,
		sites: one.sites, merged: map[string][]Merged{}, Domains: map[string]Domain{}, branches: newBranches(), patterns: map[string]*pattern.Pattern{}}
	merged(one.schema, "", 0, out.merged)
	return out
}

// Told reports whether another alternative of the body has the same schema at a place, so
// that it is tried there. Need is where its member is required; it may be empty.
func (o *Operation) Told(path string, s *Schema, need string) bool {
	return o.told[placeOf(path, s, need)]
}

// placeOf identifies a schema at a place by where its keywords stand.
func placeOf(path string, s *Schema, need string) string {
	return strings.Join([]string{path, s.Pointer, need, fmt.Sprint(s.Source.list)}, "\x00")
}

// tell notes the schemas of another alternative.
func (o *Operation) tell(s *Schema, path, need string, depth int) {
	if s == nil || depth > flattenDepth {
		return
	}
	if o.told == nil {
		o.told = map[string]bool{}
	}
	o.told[placeOf(path, s, need)] = true
	for _, p := range s.Properties {
		o.tell(p.Schema, path+"/"+jsontree.EscapePointer(p.Name), p.Need, depth+1)
	}
	for _, item := range s.Prefix {
		o.tell(item, path+"/*", "", depth+1)
	}
	o.tell(s.Items, path+"/*", "", depth+1)
	o.tell(s.Extra, path+"/*", "", depth+1)
}
