package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var dated = plan.Mutator{
	Name: "dated",
	Doc:  "Reads a thing with If-Modified-Since and the time of its last change, and with a time a day before, because a server may ignore the field or not compare the time.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.Dated() || s.Op.Lists(http.StatusNotModified) == nil {
				continue
			}
			steps := func(g *generate.Gen) []plan.Step {
				return conditional(row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op)), "If-Modified-Since", 1)
			}
			out = append(out, about("unchanged", []string{"not-modified-since"}, 1, func(g *generate.Gen, _ int) []plan.Step { return steps(g) }),
				about("changed", []string{"modified-since"}, 1, func(g *generate.Gen, _ int) []plan.Step { return older(steps(g)) }))
		}
		return out
	},
}
