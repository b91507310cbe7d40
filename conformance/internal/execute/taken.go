package execute

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

// asTaken returns a step whose unusual values must be accepted, because the step before it has
// the same ones and was accepted. A target that refuses what was used before may refuse them,
// and the step then stays as it is.
func (run *Run) asTaken(step plan.Step, before *verdict.Played) plan.Step {
	m := step.Message
	facts, r := run.Target.Facts.Of(m.Op), m.Reading()
	if !step.Taken || facts.Unique() || r == nil || !target.Accepted(m.Op, before.Exchange) {
		return step
	}
	known, places := *m, slices.Clone(r.Unusual)
	for _, why := range r.Reasons {
		places = append(places, why.Path)
	}
	for _, path := range places {
		v, was := m.At(path), before.Step.Message.At(path)
		if v == nil || was == nil || !jsontree.Equal(v, was) {
			return step
		}
		known.Given(path, v)
	}
	step.Message = &known
	return step
}
