package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var concurrency = plan.Mutator{
	Name: "concurrency",
	Doc:  "Sends requests at the same time on eight connections, and once on 32, with different and with equal values, because handlers share state.",
	Classes: func(s *plan.Space) []plan.Class {
		fit := min(parallelRounds, max(1, roomFor(s, freshPerCase)/(parallelConnections+1)))
		parallel := func(kind string, n int, group func(g *generate.Gen) []*message.Message) plan.Class {
			return several(kind, plan.ExpectNothing, parallelConnections, parallelCases, func(g *generate.Gen, _ int) []plan.Step {
				return rounds(g, n, func() []*message.Message { return group(g) })
			})
		}
		out := []plan.Class{
			parallel("parallel", fit, func(g *generate.Gen) []*message.Message { return baselines(g, parallelConnections) }),
			parallel("parallel-same-request", 2, func(g *generate.Gen) []*message.Message {
				m := g.Baseline()
				list := make([]*message.Message, parallelConnections)
				for i := range list {
					list[i] = m.Clone()
				}
				return list
			}),
		}
		crowd := several("parallel-crowd", plan.ExpectNothing, crowdConnections, 1, func(g *generate.Gen, _ int) []plan.Step {
			list := baselines(g, roomFor(s, crowdConnections))
			for _, m := range list { // each leaves room for the next
				m.Crowd, m.Fields = true, append(m.Fields, exchange.Field{Name: "Connection", Value: "close"})
			}
			return append(atOnce(list), plan.Step{Message: g.Baseline()})
		})
		out = append(out, crowd)
		for _, name := range scalars(s) {
			out = append(out, parallel("parallel-same-"+openapi.NameSlug(name), min(2, fit), func(g *generate.Gen) []*message.Message {
				list := baselines(g, parallelConnections)
				for _, m := range list[1:] {
					m.Tree.Set(name, list[0].Tree.Get(name).Clone())
				}
				return list
			}))
		}
		if bad := spoils(s); len(bad) > 0 {
			out = append(out, parallel("parallel-mixed", fit, func(g *generate.Gen) []*message.Message {
				list := baselines(g, parallelConnections)
				for i := 1; i < len(list); i += 2 {
					bad[(i/2)%min(len(bad), 4)].apply(list[i])
				}
				return list
			}))
		}
		return out
	},
}
