package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var repeated = plan.Mutator{
	Name: "repeated",
	Doc:  "Sends a PUT or a DELETE twice, and a PUT after a DELETE: clients repeat these methods when an answer is lost (RFC 9110, 9.2.2).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Delete }) {
			out = append(out, alone(about("delete", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				return row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op))
			})))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Replace }) {
			out = append(out, about("put", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := simplest(g, s.Op)
				return row(simplest(g, r.Make), m, m.Clone())
			}))
			if r.Delete != nil {
				out = append(out, alone(about("put-deleted", []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return row(simplest(g, r.Make), simplest(g, r.Delete), simplest(g, s.Op))
				})))
			}
		}
		return out
	},
}
