package execute

import (
	"context"
	"time"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// stage is a part of a run: it ends before the next one begins. It has the cases of a phase,
// but those of the phase Sequence are in two stages.
type stage struct {
	phase plan.Phase
	// crowded says that the sequences are those that need more connections than are free while
	// other cases wait. They come later, so that the run does not stand still until then.
	crowded bool
	// rest says that the stage has what was left of its phase for want of time.
	rest bool
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
	{phase: plan.Single, rest: true, share: 0.80},
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
