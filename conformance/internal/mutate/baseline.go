package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const baselineCases = 24

var baseline = plan.Mutator{
	Name: "baseline",
	Doc:  "Sends the simplest valid request, with required members, small numbers and short ASCII words, because a server that refuses it cannot be tested any further.",
	Classes: func(s *plan.Space) []plan.Class {
		return first(1, []plan.Class{single(of(plan.FamilyValid, wholeBody, "baseline", plan.ExpectMustAccept), baselineCases,
			func(g *generate.Gen, _ int) *message.Message { return g.Baseline() })})
	},
}
