package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// manyRequests and alternatingEach add up to more than 256 valid requests on one connection,
// where a counter may wrap.
const (
	manyRequests    = 200
	alternatingEach = 58
	longerRuns      = 40
	longerEach      = 250
)

var longRuns = plan.Mutator{
	Name: "long-runs",
	Doc:  "Sends hundreds of requests on one connection, valid only or alternating with refused ones, because limits and leaks show late. With --effort deep there are ten thousand more, on one connection after the other.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{several("many", plan.ExpectMustAccept, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
			return row(baselines(g, roomFor(s, manyRequests))...)
		})}
		if s.Long {
			out = append(out, several("many-more", plan.ExpectMustAccept, 1, longerRuns, func(g *generate.Gen, _ int) []plan.Step {
				return row(baselines(g, roomFor(s, longerEach))...)
			}))
		}
		list := spoils(s)
		if len(list) == 0 {
			return out
		}
		return append(out, several("many-alternating", plan.ExpectMustAccept, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
			var steps []plan.Step
			for i := range min(alternatingEach, roomFor(s, 2*alternatingEach)/2) {
				refused := g.Baseline()
				if c := list[i%len(list)]; c.kind != "large" && c.kind != "huge" {
					c.apply(refused)
				} else {
					list[0].apply(refused)
				}
				steps = append(steps, plan.Step{Message: refused}, plan.Step{Message: g.Baseline()})
			}
			return steps
		}))
	},
}
