package execute

import (
	"context"
	"time"

	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
)

// stage is the cases that a run tries before it goes on to others: those of a phase, or
// the part of them that is crowded.
type stage struct {
	phase plan.Phase
	// crowded is the sequences that need more connections than are free beside the cases
	// that wait. They come later: until then those have ended, and the run has tried other
	// cases meanwhile.
	crowded bool
	// share is the part of the time limit after which the stage stops trying more than one
	// case of each class. The rest is for confirming failures.
	share float64
}

// stages are in the order in which they are tried.
var stages = [...]stage{
	{phase: plan.Single, share: 0.50},
	{phase: plan.Lifecycle, share: 0.57},
	{phase: plan.Sequence, share: 0.65},
	{phase: plan.Heavy, share: 0.72},
	{phase: plan.Sequence, crowded: true, share: 0.74},
	{phase: plan.Credential, share: 0.92},
}

// has reports whether a case belongs to the stage.
func (s stage) has(c *plan.Case) bool {
	crowded := c.Class.Phase == plan.Sequence && c.Class.Connections > limits.Probed-asideWorkers
	return c.Class.Phase == s.phase && crowded == s.crowded
}

// end returns when the stage stops trying more than one case of each class, so that all
// classes are tried on a slow target. It is nil if the run has no time limit.
func (s stage) end(ctx context.Context, began time.Time) *time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	at := began.Add(time.Duration(float64(end.Sub(began)) * s.share))
	return &at
}
