package execute

import (
	"cmp"
	"fmt"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// end is the case with which the target stopped answering for good, and what is known of
// that in one sentence.
type end struct {
	of       *plan.Case
	sentence string
	suspects []*plan.Case
}

// End returns what is known of how the target stopped answering for good, if it did so
// with a case.
func (run *Run) End(c *plan.Case) string {
	if run.end.of != c {
		return ""
	}
	return run.end.sentence
}

// Suspects returns the cases of which one is the likely cause that the target stopped
// answering for good, the likeliest first, if it did so with a case.
func (run *Run) Suspects(c *plan.Case) []*plan.Case {
	if run.end.of != c {
		return nil
	}
	return run.end.suspects
}

// loseTarget records that the target stopped answering. The failure is reported for the
// likeliest one of the requests that were under way then, and the others are named.
func (run *Run) loseTarget(c *plan.Case, e *exchange.Exchange) {
	run.lost.Store(true)
	if e == nil || e.Failure == nil {
		run.Target.Because("the target stopped answering near " + c.ID)
		run.records.set(c, &judge.Record{Why: LostReason})
		return
	}
	step := c.Steps() - 1
	if last := run.underWay(); len(last) > 0 {
		run.records.set(c, &judge.Record{Why: LostReason})
		c = last[0]
		step = run.records.of(c).Missed
		run.end = end{of: c, sentence: ended(last), suspects: distinct(last)}
	}
	run.Target.Because("the target stopped answering near " + c.ID)
	id := run.Target.Identity(0)
	steps := run.Target.Plan.Build(c, id)
	run.CompleteAll(c, id, steps)
	r := run.Judge.TriedRecord(c.Op)
	at := steps[min(step, len(steps)-1)]
	wire := run.Target.Endpoint.Wire(at.Message, c.ID)
	p := judge.Played{Step: at, Exchange: &exchange.Exchange{Request: wire, Failure: e.Failure},
		Sent: run.Target.Endpoint.Classify(at.Message, wire)}
	r.Failures = append(r.Failures, run.unansweredFailure(c, p, id, rule.Failed("died", "an answer, and a target that stays alive",
		"no answer, and the target has not answered anything since: "+e.Failure.Error())))
	run.records.set(c, r)
}

// underWay lists the cases whose last request was under way when the target stopped
// answering: it began before the first of them was seen to be missing, and that was after
// the last request that was answered had begun. The likeliest cause comes first: one of a
// class that had no answer yet, none that waits by itself, and the most unusual one. How
// long it takes says nothing: one that uses up the memory takes its time.
func (run *Run) underWay() []*plan.Case {
	answered := 0
	came := map[string]bool{}
	for _, c := range run.Cases {
		if r := run.records.of(c); r != nil && r.State == judge.Tried {
			answered = max(answered, r.Began)
			came[c.Class.Slug] = true
		}
	}
	var out []*plan.Case
	noticed := 0
	for _, c := range run.Cases {
		if r := run.records.of(c); r != nil && r.State == judge.ToRetry && r.Ended >= answered {
			out = append(out, c)
			if noticed == 0 || r.Ended < noticed {
				noticed = r.Ended
			}
		}
	}
	out = slices.DeleteFunc(out, func(c *plan.Case) bool { return run.records.of(c).Began > noticed })
	waits := func(c *plan.Case) bool { return c.Class.Waits > 0 }
	unusual := map[*plan.Case]int{}
	for _, c := range out {
		steps := run.Target.Plan.Build(c, run.Target.Identity(0))
		last := steps[len(steps)-1].Message
		unusual[c] = judge.Unusual(run.Target.Endpoint.Classify(last, run.Target.Endpoint.Wire(last, c.ID)))
	}
	slices.SortStableFunc(out, func(a, b *plan.Case) int {
		return cmp.Or(order(came[a.Class.Slug], came[b.Class.Slug]), order(waits(a), waits(b)),
			cmp.Compare(unusual[b], unusual[a]), cmp.Compare(run.records.of(a).Began, run.records.of(b).Began))
	})
	return out
}

// distinct returns the first case of each class, and no more than a reader looks at.
func distinct(list []*plan.Case) (out []*plan.Case) {
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.Class.Slug] && len(out) < mostSuspects {
			seen[c.Class.Slug] = true
			out = append(out, c)
		}
	}
	return out
}

// mostSuspects is how many requests are named that may have ended the target.
const mostSuspects = 10

// order puts what has a property behind what has not.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// ended says in one sentence what is known of the end, of which these requests were part.
func ended(list []*plan.Case) string {
	if len(list) == 1 {
		return "the target stopped answering while this request alone was under way"
	}
	return fmt.Sprintf("the target stopped answering with %d requests under way, of which one is the likely cause unless an earlier one is", len(list))
}
