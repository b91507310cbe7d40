package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var carriedOver = plan.Mutator{
	Name: "carried-over",
	Doc:  "Makes a thing with optional members between two without them and reads both of those, because a server that reuses an object for the next request gives it the members of the one before.",
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
				steps := row(simplest(g, r.Make), simplest(g, s.Op), full, simplest(g, r.Make), simplest(g, s.Op))
				nested := len(contract.Expressions(r.Make.Path)) > 0
				for i, thing := range []int{2: 1, 3: 2} {
					if thing > 0 {
						steps[i].About, steps[i].Makes, steps[i].Thing = nested, nested, thing
					}
				}
				steps[1].Aside, steps[2].Aside, steps[4].Thing = true, true, 2
				return steps
			})))
		}
		return out
	},
}
