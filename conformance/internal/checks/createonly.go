package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var createOnlyScenario = plan.Mutator{
	Name: "create-only",
	Doc:  "Makes a thing, reads it and puts it with If-None-Match: *, because a server may ignore the field and replace what was only to be created (RFC 9110, 13.1.2).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			field := r.CreatesOnly()
			if s.Op != r.Replace || field == nil {
				continue
			}
			out = append(out, about("put", []string{"create-only"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				put := simplest(g, s.Op)
				put.Fix(field.Place(), jsontree.NewString("*"))
				return row(simplest(g, r.Make), simplest(g, r.Read), put)
			}))
		}
		return out
	},
}
