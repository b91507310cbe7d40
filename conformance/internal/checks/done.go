package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var done = plan.Mutator{
	Name: "done",
	Doc:  "Makes a thing, reads it, does something with it and reads it again, because a server may answer with the new state and store nothing.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			list := r.Actions()
			for i, op := range list[:min(len(list), mostActions)] {
				if resource.OnlyAsks(op) {
					continue
				}
				out = append(out, about(openapi.Slug(op.Slug), []string{"stored-done", "refused-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := row(g.Request(r.Make, true))
					for _, before := range list[:i] {
						// What is done with it may need another state.
						steps = append(steps, doing(g, before))
					}
					return append(steps, plan.Step{Message: simplest(g, s.Op), About: true}, doing(g, op), plan.Step{Message: simplest(g, s.Op), About: true})
				}))
			}
		}
		return out
	},
}
