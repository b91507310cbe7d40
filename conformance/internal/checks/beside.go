package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// beside makes a thing below another one and reads it, then makes and reads a second one of
// those above it.
func beside(g *generate.Gen, r, above *resource.Resource) []plan.Step {
	steps := row(simplest(g, r.Above[0].Make), g.Request(r.Make, true), simplest(g, r.Read))
	steps[1].Makes = true
	return append(steps,
		plan.Step{Message: simplest(g, above.Make), Aside: true, Thing: 1},
		plan.Step{Message: simplest(g, above.Read), About: true, Aside: true, Thing: 1})
}
