package causes

import "plantstore/conformance/internal/plan"

// Before makes the request that came before the failing one on its connection again, with
// fresh values, and names its case. Again is nil if that is not a case of one request.
func (l *Lab) Before() (again func() plan.Step, name string) {
	name = l.failure.Steps[l.failure.Step].Exchange.After
	c := l.run.Target.Plan.Find(name)
	if c == nil || c.Steps() != 1 {
		return nil, ""
	}
	return func() plan.Step {
		_, steps := l.build(c)
		return plan.Step{Message: steps[0].Message, Of: c.ID}
	}, name
}
