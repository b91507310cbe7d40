package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var refusedScenario = plan.Mutator{
	Name: "refused",
	Doc:  "Makes a thing, reads it, sends a change with a valid and an invalid member, or with a tag in If-Match that it never had, and reads it again, because a server may store members one after the other until one is refused.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, change := range []*openapi.Operation{r.Patch, r.Replace} {
				if change == nil || change == r.Make {
					continue
				}
				if change.Body != nil && change.Lists(http.StatusPreconditionFailed) != nil && takesTag(change, plan.AsForeign) {
					out = append(out, about(openapi.Slug(change.Slug)+"-matched", []string{"refused-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
						steps := inForm(conditional(row(g.Request(r.Make, true), simplest(g, s.Op), g.Request(change, true)), "If-Match", 1), plan.AsForeign)
						steps[2].Open = true
						return append(steps, plan.Step{Message: simplest(g, s.Op), About: true})
					}))
				}
				if !canSpoil(change) {
					continue
				}
				out = append(out, about(openapi.Slug(change.Slug), []string{"refused-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := row(g.Request(r.Make, true), simplest(g, s.Op), spoiled(g, change), simplest(g, s.Op))
					steps[2].Open = true
					return steps
				}))
			}
		}
		return out
	},
}
