package execute

import (
	"context"
	"slices"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// Opens reports whether a case tries what an exchange of the pre-flight has tried. The
// first such case of a plan is given the outcome of both.
func Opens(c *plan.Case, o explore.Opening) bool {
	return c.Op == o.Op && c.Class.Expected == plan.ExpectMustAccept
}

// judgeOpening judges a baseline request of the pre-flight and adds the outcome to
// the record of the first such case.
func (run *Run) judgeOpening(o explore.Opening) {
	for _, c := range run.Cases {
		if !Opens(c, o) {
			continue
		}
		if o.Exchange.Unread() {
			run.Target.Because(o.Op.Name() + ": " + unreadReason())
			return
		}
		r := run.opening(c, o)
		r.Sent, r.Refused = 1, 0 // before all others
		run.join(c, r)
		return
	}
	if !run.settled {
		run.Target.Because("no baseline request was accepted")
	}
}

// opening judges a request that is like one of a case, or beside it.
func (run *Run) opening(c *plan.Case, o explore.Opening) *judge.Record {
	p := judge.Played{Step: plan.Step{Message: o.Message}, Sender: "preflight", Exchange: o.Exchange,
		Sent: run.Target.Endpoint.Classify(o.Message, o.Exchange.Request), Answer: rule.Read(o.Op, o.Exchange)}
	r := run.RecordOf(c, run.Target.Identity(0), []judge.Played{p})
	r.OwnFault = "" // it is not the request of the case
	for n := range r.Failures {
		// The case would send other values.
		r.Failures[n].Beside = len(o.Op.Bind) > 0 && !explore.Accepted(o.Op, o.Exchange)
	}
	return r
}

// join adds the record of an opening to what a case has already.
func (run *Run) join(c *plan.Case, r *judge.Record) {
	if old := run.records.of(c); old != nil && old.State == judge.Tried {
		if len(r.Failures) == 0 {
			r.Sent, r.Refused = old.Sent, old.Refused
		}
		r.Failures = append(r.Failures, old.Failures...)
		r.Passed.Union(old.Passed)
		r.Suppressed.Union(old.Suppressed)
		r.Ruled.Union(old.Ruled)
		r.Observed, r.Provisional = append(r.Observed, old.Observed...), append(r.Provisional, old.Provisional...)
	}
	run.records.set(c, r)
}

// JudgeBroken judges the requests beside the cases that were answered with a server error or
// not at all, for operations of which the run has a case. It returns the cases that show them.
// One without an answer is judged only if it gets none again between two controls that are
// answered: another request may have taken the target down.
func (run *Run) JudgeBroken(ctx context.Context) (out []*plan.Case) {
	for _, o := range run.Target.Broken() {
		i := slices.IndexFunc(run.Cases, func(c *plan.Case) bool { return Opens(c, o) })
		if i < 0 || o.Exchange.Unread() || run.lost.Load() && o.Exchange.Failure != nil {
			continue
		}
		c := run.Cases[i]
		if o.Exchange.Failure != nil && !o.AtOnce && !run.breaksAgain(ctx, c, &o) {
			continue
		}
		r := run.opening(c, o)
		for n := range r.Failures {
			r.Failures[n].Beside = true
		}
		run.join(c, r)
		out = append(out, c)
	}
	return out
}

// breaksAgain sends a request without an answer again, alone, and keeps the new exchange. If
// the target does not come back, the request is what took it down.
func (run *Run) breaksAgain(ctx context.Context, c *plan.Case, o *explore.Opening) bool {
	op := o.Op
	if !run.Target.Facts.Of(op).Accepted {
		op = run.Target.AcceptedOp()
	}
	lives := func() bool {
		_, ok := run.revive(ctx, op, nil)
		if !ok && ctx.Err() == nil {
			run.lost.Store(true)
			run.end = end{of: c, sentence: "the target answered before this request, and nothing since"}
			run.Target.Because("the target stopped answering near a request of " + o.Op.Name())
		}
		return ok
	}
	if !lives() {
		return run.lost.Load()
	}
	s := run.Target.Client.Session()
	defer s.Close()
	e := run.Target.Send(ctx, s, o.Message, c.ID, "again")
	if e == nil || e.Failure == nil {
		return false
	}
	o.Exchange = e
	return lives() || run.lost.Load()
}

// SendAgain sends the request of a failure that no case has, as it was, and reports whether
// it fails in the same way. It returns false for sent if the run ended before.
func (run *Run) SendAgain(ctx context.Context, c *plan.Case, f *judge.Failure) (fails, sent bool) {
	s := run.Target.Client.Session()
	defer s.Close()
	m := f.Steps[f.Step].Step.Message
	e := run.Target.Send(ctx, s, m, c.ID, "again")
	if e == nil || e.Unread() {
		return false, false
	}
	return run.opening(c, explore.Opening{Op: m.Op, Message: m, Exchange: e}).FailedAt(f.At), true
}
