package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// repeatCases are on one connection, on a fresh one and on two.
const repeatCases = ways

var repeats = plan.Mutator{
	Name: "repeats",
	Doc:  "Sends the same request twice, and two requests with the same value of one member, because the document does not say whether values are unique.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{several("same-request", plan.ExpectNothing, 2, repeatCases, func(g *generate.Gen, draw int) []plan.Step {
			m := g.Baseline()
			return []plan.Step{{Message: m}, follow(m.Clone(), draw)}
		})}
		for _, name := range scalars(s) {
			out = append(out, several("same-"+openapi.NameSlug(name), plan.ExpectNothing, 2, repeatCases, func(g *generate.Gen, draw int) []plan.Step {
				one, two := g.Baseline(), g.Baseline()
				two.Tree.Set(name, one.Tree.Get(name).Clone())
				return []plan.Step{{Message: one}, follow(two, draw)}
			}))
		}
		return out
	},
}
