package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const baselineCases = 24

var baseline = plan.Mutator{
	Name: "baseline",
	Doc:  "The plainest valid request: required members only, small numbers, short ASCII words.",
	Classes: func(s *plan.Space) []plan.Class {
		return []plan.Class{single(of(plan.FamilyValid, wholeBody, "baseline", plan.ClaimPlain), baselineCases,
			func(g *generate.Gen, _ int) *request.Message { return g.Mild() })}
	},
}
