package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var carriedOverScenario = plan.Mutator{
	Name: "carried-over",
	Doc:  "Makes a thing with optional members between two without them and reads both of those, because a server that reuses an object carries its members over to the next thing.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.TakesOptional() {
				continue
			}
			out = append(out, alone(about("read", []string{"carried-over"}, 2, func(g *generate.Gen, draw int) []plan.Step {
				full := g.Request(r.Make, true)
				if draw > 0 {
					full = g.Fullest(r.Make)
				}
				steps := append(row(simplest(g, r.Make), simplest(g, s.Op)), sibling(full, 1), sibling(simplest(g, r.Make), 2))
				steps[1].Aside, steps[2].Aside = true, true
				return append(steps, plan.Step{Message: simplest(g, s.Op), About: true, Thing: 2})
			})))
		}
		return out
	},
}
