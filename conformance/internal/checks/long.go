package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var long = plan.Mutator{
	Name: "long",
	Doc:  "Makes, replaces and puts things with texts and lists that are as long as they may be, or long where the document has no limit, and reads them, because a store may cut off what is longer than its columns.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		// each makes a class of a case for each kind of long values.
		each := func(kind, rule string, by *openapi.Operation, build func(g *generate.Gen, long generate.Long) []plan.Step) {
			if by == nil {
				return
			}
			if kinds := generate.Longs(by); len(kinds) > 0 {
				out = append(out, about(kind, []string{rule}, len(kinds), func(g *generate.Gen, draw int) []plan.Step { return build(g, kinds[draw]) }))
			}
		}
		for _, r := range of(s, reads) {
			each("made", "stored-created", r.Make, func(g *generate.Gen, long generate.Long) []plan.Step {
				return opened(row(g.Longest(r.Make, long), simplest(g, s.Op)))
			})
			if r.Replace != r.Make {
				each("replaced", "stored-replaced", r.Replace, func(g *generate.Gen, long generate.Long) []plan.Step {
					return opened(row(simplest(g, r.Make), g.Longest(r.Replace, long), simplest(g, s.Op)))
				})
			}
		}
		for _, r := range s.Resources {
			if put := r.PartAt(s.Op.Path, http.MethodPut); put != nil && s.Op.Method == http.MethodGet {
				each(openapi.Slug(put.Slug), "stored-replaced", put, func(g *generate.Gen, long generate.Long) []plan.Step {
					return opened(row(simplest(g, r.Make), g.Longest(put, long), simplest(g, s.Op)))
				})
			}
		}
		return out
	},
}

// opened lets a server refuse the step before the last: its values are longer than usual.
func opened(steps []plan.Step) []plan.Step {
	steps[len(steps)-2].Open = true
	return steps
}
