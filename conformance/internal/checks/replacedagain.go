package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var replacedAgainScenario = plan.Mutator{
	Name: "replaced-again",
	Doc:  "Makes a thing, sends the same PUT twice and reads the thing after each, because a server may add the values of a PUT to those that it has, and clients repeat a PUT when an answer is lost (RFC 9110, 9.2.2).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Replace == nil || r.Replace.Body == nil {
				continue
			}
			out = append(out, about("read", []string{"replaced-again"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				put := lowest(g, r.Replace)
				return row(lowest(g, r.Make), put, simplest(g, s.Op), put.Clone(), simplest(g, s.Op))
			}))
		}
		return out
	},
}
