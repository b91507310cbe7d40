package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var head = plan.Mutator{
	Name: "head",
	Doc:  "Makes a thing, reads it or a part of it twice and sends HEAD, before and after a change, because a server may have a handler of its own for HEAD.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			get := r.GetOf(s.Op)
			if get == nil {
				continue
			}
			out = append(out, about("made", []string{"head-like-get"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				return readAgain(row(g.Request(r.Make, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 1)
			}))
			if change := writer(r); change != nil && get == r.Read {
				out = append(out, about("changed", []string{"head-like-get"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return readAgain(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, get), simplest(g, get), simplest(g, s.Op)), 3)
				}))
			}
		}
		return out
	},
}
