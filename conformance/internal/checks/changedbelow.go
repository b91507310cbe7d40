package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var changedBelowScenario = plan.Mutator{
	Name: "changed-below",
	Doc:  "Makes a thing below another one, reads it twice, changes or deletes it below a second one and reads it where it is, because a server may check who owns the second one and look for the thing by its own key alone.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if len(r.Above) == 0 {
				continue
			}
			for _, write := range r.Writes() {
				c := about(openapi.Slug(write.Slug), []string{"changed-below"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := beside(g, r, r.Above[0])
					return append(steps,
						plan.Step{Message: simplest(g, s.Op), About: true},
						plan.Step{Message: g.Request(write, true), About: true, Aside: true, Open: true, Above: len(steps) - 1},
						plan.Step{Message: simplest(g, s.Op), About: true})
				})
				if write.Method == http.MethodDelete {
					c = alone(c)
				}
				out = append(out, c)
			}
		}
		return out
	},
}
