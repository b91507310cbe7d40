package checks

import (
	"time"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var newestFirstScenario = plan.Mutator{
	Name: "newest-first",
	Doc:  "Makes two things, one a second after the other, and reads their list, because a server may list them in another order than the document states.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || l.make == nil || !s.Op.HasFirst(l.make) {
			return nil
		}
		c := l.class("later", []string{"newest-first"}, func(g *generate.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, 2))
			steps[1].Idle = apartBy
			return append(steps, l.page(g, l.wide()))
		})
		c.Hinted = !s.Op.Accepted.NewestFirst
		return []plan.Class{c}
	},
}

// apartBy is the time between the two things: a server may keep times in whole seconds.
const apartBy = 1100 * time.Millisecond
