package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var matchAnyScenario = plan.Mutator{
	Name: "match-any",
	Doc:  "Deletes a thing, reads that it is not there and puts it with If-Match: *, because a server may take the asterisk for no condition and make the thing again (RFC 9110, 13.1.1).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			field := r.MatchesAny()
			if s.Op != r.Replace || field == nil {
				continue
			}
			out = append(out, alone(about("put", []string{"match-any"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				put := simplest(g, s.Op)
				put.Fix(field.Place(), jsontree.NewString("*"))
				steps := row(simplest(g, r.Make), simplest(g, r.Delete), simplest(g, r.Read), put)
				steps[2].Open = true
				return steps
			})))
		}
		return out
	},
}
