package cause

import (
	"slices"

	"plantstore/conformance/internal/plan"
)

// Before makes the request again that came before the failing one on its connection, with
// fresh values, and names its case. It returns nil if that is not a case of one request.
func (l *Lab) Before() (again func() plan.Step, name string) {
	name = l.failure.Steps[l.failure.Step].Exchange.After
	at := slices.IndexFunc(l.run.Cases, func(c *plan.Case) bool { return c.ID == name && c.Steps() == 1 })
	if at < 0 {
		return nil, ""
	}
	c := l.run.Cases[at]
	return func() plan.Step {
		id := l.run.Target.Identity(l.run.Target.RetryOf(c))
		steps := l.run.Target.Plan.Build(c, id)
		l.run.CompleteAll(c, id, steps)
		return plan.Step{Message: steps[0].Message, Of: c.ID}
	}, name
}
