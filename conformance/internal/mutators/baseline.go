package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const mildCases = 24

var mild = plan.Mutator{
	Name: "mild",
	Doc:  "The plainest valid request: required members only, small numbers, short ASCII words.",
	Classes: func(s *plan.Space) []plan.Class {
		return []plan.Class{single(s.Slug(familyValid, wholeBody, "mild"), plan.ClaimPlain, mildCases,
			func(g *generate.Gen, _ int) *request.Message { return g.Mild() })}
	},
}
