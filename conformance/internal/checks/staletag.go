package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var staleTag = plan.Mutator{
	Name: "stale-tag",
	Doc:  "Writes a thing with the tag that it had before another write in If-Match, because a server may ignore the field and lose the other write.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			writes := s.Op == r.Replace || s.Op == r.Patch || s.Op == r.Delete
			if change := writer(r); writes && change != nil && r.Read != nil && s.Op.Lists(http.StatusPreconditionFailed) != nil {
				out = append(out, about("write", []string{"if-match"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return conditional(row(simplest(g, r.Make), simplest(g, r.Read), g.Request(change, true), simplest(g, r.Read), simplest(g, s.Op)), "If-Match", 1)
				}))
			}
		}
		return out
	},
}
