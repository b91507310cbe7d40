package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const validBefore = 120

// rows need more fresh values than a case of the last phase has, and too few of their
// requests are refused to lock a client out.
var credentialRuns = plan.Mutator{
	Name: "credential-runs",
	Doc:  "Sends a refused credential after more than a hundred valid requests, and both at the same time, because a check can be cached.",
	Classes: func(s *plan.Space) []plan.Class {
		list := refusals(s)
		if len(list) == 0 {
			return nil
		}
		var out []plan.Class
		for _, a := range list[:min(2, len(list))] {
			out = append(out, several("many-valid-then-"+kindOf(a), plan.ExpectRefusedCredential, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
				n := roomFor(s, validBefore+1)
				return append(row(baselines(g, n-1)...), plan.Step{Message: as(g.Baseline(), a)})
			}))
		}
		return append(out,
			several("parallel-credentials", plan.ExpectNothing, parallelConnections, parallelCases, func(g *generate.Gen, _ int) []plan.Step {
				return rounds(g, 2, func() []*message.Message {
					all := baselines(g, parallelConnections)
					for i := 1; i < len(all); i += 2 {
						all[i] = as(all[i], list[0])
					}
					return all
				})
			}),
			several("credentials-in-turn", plan.ExpectRefusedCredential, 1, 2, func(g *generate.Gen, _ int) []plan.Step {
				var steps []plan.Step
				for range 4 {
					steps = append(steps, plan.Step{Message: g.Baseline()}, plan.Step{Message: as(g.Baseline(), list[0])})
				}
				return steps
			}))
	},
}
