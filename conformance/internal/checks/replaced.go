package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var replaced = plan.Mutator{
	Name: "replaced",
	Doc:  "Makes a thing, reads it, replaces it and reads it again, because a server may answer a PUT with what it was sent and store nothing.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Replace == nil {
				continue
			}
			out = append(out, about("read", []string{"stored-replaced", "replaced-members", "created-readable", "etag-changes", "strong-etag", "put-tag"}, draws, func(g *generate.Gen, draw int) []plan.Step {
				// The thing has other values before: a simple one gets many, and one with many others.
				return row(with(g, r.Make, draws-1-draw), simplest(g, s.Op), with(g, r.Replace, draw), simplest(g, s.Op))
			}))
		}
		return out
	},
}
