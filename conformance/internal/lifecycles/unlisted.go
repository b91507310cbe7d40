package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var unlisted = plan.Mutator{
	Name: "unlisted",
	Doc:  "Makes a thing, lists its collection, deletes it and lists the collection again, because a server may leave it in an index.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *contract.Operation { return r.List }) {
			if r.Delete == nil {
				continue
			}
			out = append(out, alone(about("list", []string{"unlisted"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				made := g.Request(r.Make, true)
				steps := row(made, narrowed(g, s.Op, made), simplest(g, r.Delete), narrowed(g, s.Op, made))
				steps[0].Own = true // a list that others share may have it on a later page
				return steps
			})))
		}
		return out
	},
}
