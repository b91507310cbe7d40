package lifecycles

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var tagged = plan.Mutator{
	Name: "tagged",
	Doc:  "Reads a thing with If-None-Match, before and after it changed, because a server may ignore the field or compare it with a stale tag.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if s.Op.Lists(http.StatusNotModified) == nil {
				continue
			}
			out = append(out, about("unchanged", []string{"not-modified"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				return conditional(row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op)), "If-None-Match", 1)
			}))
			if change := writer(r); change != nil {
				out = append(out, about("changed", []string{"modified"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return conditional(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, s.Op), simplest(g, s.Op)), "If-None-Match", 1)
				}))
			}
		}
		return out
	},
}
