package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// refusedInARow is more than the number of failures after which circuit breakers usually open.
const refusedInARow = 12

var refusalRuns = plan.Mutator{
	Name: "refusal-runs",
	Doc:  "Sends a dozen refused bodies of one kind in a row while nothing else is sent, then a valid one, because a circuit breaker may count refused requests as failures of the server.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, kind := range []string{"invalid", "not-json"} {
			var list []spoil
			for _, c := range spoils(s) {
				if c.kind == kind {
					list = append(list, c)
				}
			}
			if len(list) == 0 {
				continue
			}
			c := several(kind+"-in-a-row", plan.ExpectMustAccept, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
				all := baselines(g, min(refusedInARow+1, roomFor(s, refusedInARow+1)))
				for i, m := range all[:len(all)-1] {
					list[i%len(list)].apply(m)
				}
				return row(all...)
			})
			c.Alone = true
			out = append(out, c)
		}
		return out
	},
}
