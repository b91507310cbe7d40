package execute

import (
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

// Opens reports whether a case tries what an exchange of the pre-flight has tried. The
// first such case of a plan is given the outcome of both.
func Opens(c *plan.Case, o target.Opening) bool {
	return c.Op == o.Op && c.Class.Expected == plan.ExpectMustAccept
}

// judgeOpening judges a baseline request of the pre-flight and adds the outcome to
// the record of the first such case.
func (run *Run) judgeOpening(o target.Opening) {
	for _, c := range run.Cases {
		if !Opens(c, o) {
			continue
		}
		if o.Exchange.Unread() {
			run.Target.Because(o.Op.Name() + ": " + unreadReason())
			return
		}
		p := verdict.Played{Step: plan.Step{Message: o.Message}, Sender: "preflight", Exchange: o.Exchange,
			Sent: run.Target.Endpoint.Classify(o.Message, o.Exchange.Request), Answer: rule.Read(o.Op, o.Exchange)}
		r := run.RecordOf(c, run.Target.Identity(0), []verdict.Played{p})
		failed := len(r.Failures) > 0
		r.Sent, r.Refused = 1, 0 // before all others
		if old := run.records.of(c); old != nil && old.State == verdict.Tried {
			if !failed {
				r.Sent, r.Refused = old.Sent, old.Refused
			}
			r.Failures = append(r.Failures, old.Failures...)
			r.Passed.Union(old.Passed)
			r.Suppressed.Union(old.Suppressed)
			r.Ruled.Union(old.Ruled)
			r.Observed, r.Provisional = append(r.Observed, old.Observed...), append(r.Provisional, old.Provisional...)
		}
		run.records.set(c, r)
		return
	}
	if !run.settled {
		run.Target.Because("no baseline request was accepted")
	}
}
