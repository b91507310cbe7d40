package lifecycles

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var created = plan.Mutator{
	Name: "created",
	Doc:  "Makes a thing and reads it, because a server may answer that it made a thing and keep nothing, or something else.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			out = append(out, about("read", []string{"created-readable", "stored-created", "write-only-kept"}, draws, func(g *generate.Gen, draw int) []plan.Step {
				return row(with(g, r.Make, draw), simplest(g, s.Op))
			}))
		}
		return out
	},
}
