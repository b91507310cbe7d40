package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var leftOut = plan.Mutator{
	Name: "left-out",
	Doc:  "Makes a thing with all members, replaces it with other values, then with the required members alone, and reads it, because a server may merge the body of a PUT into what it has.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.ReplacesWhole() {
				continue
			}
			out = append(out, about("read", []string{"replaced-whole", "replaced-members"}, 2, func(g *generate.Gen, draw int) []plan.Step {
				// The first PUT shows which members a PUT changes.
				draw = 1 + 2*draw
				return row(with(g, r.Make, draw), with(g, r.Replace, draw), simplest(g, s.Op), simplest(g, r.Replace), simplest(g, s.Op))
			}))
		}
		return out
	},
}
