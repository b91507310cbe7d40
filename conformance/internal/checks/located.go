package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var located = plan.Mutator{
	Name: "located",
	Doc:  "Makes a thing and reads it at the Location of the response, because that may lead nowhere where the identifier leads to the thing.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			out = append(out, about("located", []string{"created-readable"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				steps := row(simplest(g, r.Make), simplest(g, s.Op))
				if r.Make.Lists(http.StatusAccepted) != nil {
					// After 202 only what can be read by its key must be there.
					steps = row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op))
				}
				steps[len(steps)-1].Located = true
				return steps
			}))
		}
		return out
	},
}
