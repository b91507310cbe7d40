package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var created = plan.Mutator{
	Name: "created",
	Doc:  "Makes a thing, of each alternative that its body has, and reads it, because a server may answer that it made a thing and keep nothing, or something else.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			out = append(out, madeBy(s, "read", r.Make, draws, 0))
			for _, further := range r.Make.Further {
				if further.Alternative != "" {
					out = append(out, madeBy(s, "read-"+openapi.NameSlug(further.Alternative), further, 2, 1))
				}
			}
		}
		return out
	},
}

// madeBy makes a class of cases that read what an operation made, from a draw on.
func madeBy(s *plan.Space, kind string, by *openapi.Operation, cases, from int) plan.Class {
	return about(kind, []string{"created-readable", "stored-created", "write-only-kept"}, cases, func(g *generate.Gen, draw int) []plan.Step {
		return row(with(g, by, from+draw), simplest(g, s.Op))
	})
}
