package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var staleDate = plan.Mutator{
	Name: "stale-date",
	Doc:  "Writes a thing with a time before its last change in If-Unmodified-Since, because a server may ignore the field and lose another write.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			writes := s.Op == r.Replace || s.Op == r.Patch || s.Op == r.Delete
			if writes && r.Dated() && resource.ChecksDates(s.Op) && s.Op.Lists(http.StatusPreconditionFailed) != nil {
				out = append(out, about("write", []string{"unmodified-since"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return older(conditional(row(simplest(g, r.Make), simplest(g, r.Read), simplest(g, s.Op)), "If-Unmodified-Since", 1))
				}))
			}
		}
		return out
	},
}
