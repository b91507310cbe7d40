package execute

import (
	"slices"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// asTaken returns a step whose unusual values must be accepted, because the step before it has
// the same ones and was accepted. If the target is not known to accept repeated values there, the
// step is like any other.
func (run *Run) asTaken(step plan.Step, before *judge.Played) plan.Step {
	if !step.Taken {
		return step
	}
	m := step.Message
	known, facts, r := *m, run.Target.Facts.Of(m.Op), m.Reading()
	step.Taken = false
	if r == nil || !explore.Accepted(m.Op, before.Exchange) {
		return step
	}
	places := slices.Clone(r.Unusual)
	for _, why := range r.Reasons {
		places = append(places, why.Path)
	}
	for _, path := range places {
		v, was := m.At(path), before.Step.Message.At(path)
		if v == nil || was == nil || !jsontree.Equal(v, was) || !facts.TakesAgain(path) {
			return step
		}
		known.Given(path, v)
	}
	step.Taken, step.Message = true, &known
	return step
}
