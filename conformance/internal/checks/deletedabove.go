package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var deletedAbove = plan.Mutator{
	Name: "deleted-above",
	Doc:  "Makes a thing below another one, deletes the one above and reads the thing once more, because a server may delete a row and leave those that belong to it.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, above := range s.Resources {
				if above.Delete == nil || !above.Holds(r) {
					continue
				}
				out = append(out, alone(about(openapi.Slug(above.Delete.Slug), []string{"gone"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := row(simplest(g, above.Make), simplest(g, r.Make), simplest(g, s.Op), simplest(g, above.Delete), simplest(g, s.Op))
					steps[1].Makes = true
					return steps
				})))
			}
		}
		return out
	},
}
