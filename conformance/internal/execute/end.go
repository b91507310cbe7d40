package execute

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
)

// end is the case with which the target stopped answering for good, and what is known of
// that in one sentence.
type end struct {
	of       *plan.Case
	sentence string
}

// End returns what is known of how the target stopped answering for good, if it did so
// with a case.
func (run *Run) End(c *plan.Case) string {
	if run.end.of != c {
		return ""
	}
	return run.end.sentence
}

// loseTarget records that the target stopped answering. The failure is reported for the
// likeliest one of the requests that were under way then, and the others are named.
func (run *Run) loseTarget(c *plan.Case, e *exchange.Exchange) {
	run.lost.Store(true)
	if e == nil || e.Failure == nil {
		run.Target.Because("the target stopped answering near " + c.ID)
		run.records.set(c, &verdict.Record{Why: LostReason})
		return
	}
	step := c.Steps() - 1
	if last := run.underWay(); len(last) > 0 {
		run.records.set(c, &verdict.Record{Why: LostReason})
		c = last[0]
		step = run.records.of(c).Missed
		run.end = end{c, run.ended(last)}
	}
	run.Target.Because("the target stopped answering near " + c.ID)
	id := run.Target.Identity(0)
	steps := run.Target.Plan.Build(c, id)
	run.CompleteAll(c, id, steps)
	r := run.Judge.TriedRecord(c.Op)
	at := steps[min(step, len(steps)-1)]
	wire := run.Target.Endpoint.Wire(at.Message, c.ID)
	p := verdict.Played{Step: at, Exchange: &exchange.Exchange{Request: wire, Failure: e.Failure},
		Sent: run.Target.Endpoint.Classify(at.Message, wire)}
	r.Failures = append(r.Failures, run.unansweredFailure(c, p, id, rule.Failed("died", "an answer, and a target that stays alive",
		"no answer, and the target has not answered anything since: "+e.Failure.Error())))
	run.records.set(c, r)
}

// underWay lists the cases whose last request was under way when the target stopped
// answering: it began before the first of them was seen to be missing, and that was after
// the last request that was answered had begun. The likeliest cause comes first. That is
// none that many others have overtaken, as those do that are sent with pauses or wait for
// more. Of the rest it is the first of a class that had no answer.
func (run *Run) underWay() []*plan.Case {
	answered := 0
	came := map[string]bool{}
	for _, c := range run.Cases {
		if r := run.records.of(c); r != nil && r.State == verdict.Tried {
			answered = max(answered, r.Began)
			came[c.Class.Slug] = true
		}
	}
	var out []*plan.Case
	noticed := 0
	for _, c := range run.Cases {
		if r := run.records.of(c); r != nil && r.State == verdict.ToRetry && r.Ended >= answered {
			out = append(out, c)
			if noticed == 0 || r.Ended < noticed {
				noticed = r.Ended
			}
		}
	}
	out = slices.DeleteFunc(out, func(c *plan.Case) bool { return run.records.of(c).Began > noticed })
	late := func(c *plan.Case) bool { return answered-run.records.of(c).Began > overtaken }
	slices.SortStableFunc(out, func(a, b *plan.Case) int {
		return cmp.Or(order(late(a), late(b)), order(came[a.Class.Slug], came[b.Class.Slug]),
			cmp.Compare(run.records.of(a).Began, run.records.of(b).Began))
	})
	return out
}

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

// overtaken is how many requests may begin and be answered beside one that takes no time
// by itself.
const overtaken = 16

// ended says in one sentence what is known of the end, of which these requests were part.
func (run *Run) ended(list []*plan.Case) string {
	if len(list) == 1 {
		return "the target stopped answering while this request alone was under way"
	}
	var names []string
	for _, c := range list[1:] {
		names = append(names, c.ID)
	}
	return fmt.Sprintf("the target stopped answering with %d requests under way, of which one is the likely cause unless an earlier one is: this one, %s",
		len(list), strings.Join(names, ", "))
}
