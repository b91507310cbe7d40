package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var belowOtherScenario = plan.Mutator{
	Name: "below-other",
	Doc:  "Makes a thing below another one and reads it below a second one, because a server may look for it by its own key alone.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, above := range r.Above {
				out = append(out, about(openapi.Slug(above.Read.Slug), []string{"below-other"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := beside(g, r, above)
					return append(steps, plan.Step{Message: simplest(g, s.Op), About: true, Above: len(steps) - 1})
				}))
			}
		}
		return out
	},
}
