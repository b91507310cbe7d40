package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
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
	steps := run.Build(c, id)
	r := run.Judge.TriedRecord(c.Op)
	at := steps[min(step, len(steps)-1)]
	wire := run.Target.Endpoint.Wire(at.Message, c.ID)
	p := judge.Played{Step: at, Exchange: &exchange.Exchange{Request: wire, Failure: e.Failure},
		Sent: run.Target.Endpoint.Classify(at.Message, wire)}
	r.Failures = append(r.Failures, run.unansweredFailure(c, p, id, requirement.Failed("died", "an answer, and a target that stays alive",
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
	for c, r := range run.Records() {
		if r.State == judge.Tried {
			answered = max(answered, r.Began)
			came[c.Class.Slug] = true
		}
	}
	var out []*plan.Case
	noticed := 0
	for c, r := range run.Records() {
		if r.State == judge.ToRetry && r.Ended >= answered {
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

// distinct returns the first case of each class.
func distinct(list []*plan.Case) (out []*plan.Case) {
	seen := map[string]bool{}
	for _, c := range list {
		if !seen[c.Class.Slug] && len(out) < maxSuspects {
			seen[c.Class.Slug] = true
			out = append(out, c)
		}
	}
	return out
}

// maxSuspects is how many requests are named that may have ended the target.
const maxSuspects = 64

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

// Opens reports whether a case tries what an exchange of the pre-flight has tried. The
// first such case of a plan is given the outcome of both.
func Opens(c *plan.Case, o explore.Opening) bool {
	return c.Op == o.Op && c.Class.Expected == message.Accept
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
		Sent: run.Target.Endpoint.Classify(o.Message, o.Exchange.Request), Answer: requirement.Read(o.Op, o.Exchange)}
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
		r.Failures = slices.Concat(old.Failures, r.Failures) // first: only this failure knows the requests that it needs
		r.Passed.Union(old.Passed)
		r.Suppressed.Union(old.Suppressed)
		r.Ruled.Union(old.Ruled)
		r.Observed, r.Provisional = append(r.Observed, old.Observed...), append(r.Provisional, old.Provisional...)
	}
	run.records.set(c, r)
}

// joinResent files the verdicts on answers that no case saw with a case of their operation, if
// possible with one that was tried. A case that was not tried takes only failures: these answers do
// not try it.
func (run *Run) joinResent() {
	for _, p := range run.Judge.Resent.Take() {
		of := func(c *plan.Case) bool { return c.Op == p.Step.Message.Op }
		i := slices.IndexFunc(run.Cases, func(c *plan.Case) bool {
			r := run.records.of(c)
			return of(c) && r != nil && r.State == judge.Tried
		})
		if failed := p.Checked.Failed(); i < 0 && len(failed) > 0 {
			i = slices.IndexFunc(run.Cases, of)
		}
		if i < 0 {
			continue
		}
		r := run.Judge.TriedRecord(p.Step.Message.Op)
		r.Passed.Union(p.Checked.Passed)
		for _, f := range p.Checked.Failed() {
			r.Failures = append(r.Failures, judge.Failure{Finding: f, Defects: 1, Steps: []judge.Played{p}, Identity: run.Target.Identity(0), Beside: true})
		}
		run.join(run.Cases[i], r)
	}
}

// JudgeBroken judges the requests beside the cases that were answered with a server error or
// not at all, for operations of which the run has a case. It returns the cases that show them.
// One without an answer is judged only if it gets none again, nor a part of one, between two controls
// that are answered: another request may have taken the target down.
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
	scenarios := func() bool {
		_, ok := run.revive(ctx, op, nil)
		if !ok && ctx.Err() == nil {
			run.lost.Store(true)
			run.end = end{of: c, sentence: "the target answered before this request, and nothing since"}
			run.Target.Because("the target stopped answering near a request of " + o.Op.Name())
		}
		return ok
	}
	if !scenarios() {
		return run.lost.Load()
	}
	s := run.Target.Client.Session()
	defer s.Close()
	e := run.Target.Send(ctx, s, o.Message, c.ID, "again")
	if e == nil || e.Failure == nil || e.Coming {
		return false
	}
	o.Exchange = e
	return scenarios() || run.lost.Load()
}

// AtItsTime is why a failure of an answer that asks the client to wait is not tried again.
const AtItsTime = "no request makes the server ask for a wait"

// SendAgain sends the request of a failure that no case has, as it was, and reports whether
// it fails in the same way. Untried says why it was not sent.
func (run *Run) SendAgain(ctx context.Context, c *plan.Case, f *judge.Failure) (fails bool, untried string) {
	if client.Throttled(f.Steps[f.Step].Exchange) {
		return false, AtItsTime
	}
	s := run.Target.Client.Session()
	defer s.Close()
	m := f.Steps[f.Step].Step.Message
	e := run.Target.Send(ctx, s, m, c.ID, "again")
	if e == nil || e.Unread() {
		return false, EndedReason
	}
	return run.opening(c, explore.Opening{Op: m.Op, Message: m, Exchange: e}).FailedAt(f.At), ""
}

// The reasons why the steps of a case are not sent, or not all, beside those of the
// set-up.
var (
	errStopped = errors.New(ImpatientReason) // or the run ended
	errOthers  = errors.New("it could change what the run did not make")
)

// unplayed returns the record of a case that Play gave up with an error.
func unplayed(ctx context.Context, err error) *judge.Record {
	switch {
	case ctx.Err() != nil:
		return &judge.Record{Why: EndedReason}
	case errors.Is(err, errOthers), errors.Is(err, errNoScenario):
		return &judge.Record{State: judge.Inapplicable, Why: err.Error()}
	}
	return &judge.Record{Why: err.Error()}
}

// others reports whether a step would change or delete a resource that the run did not
// make: its path has a valid value, and not the one of the case. A POST, or a request that names another
// resource elsewhere, changes something only if there is one with that key: numbers are given out in order.
func others(op *openapi.Operation, steps []plan.Step) bool {
	if op.Method != http.MethodDelete && op.Method != http.MethodPut && op.Method != http.MethodPatch && op.Method != http.MethodPost {
		return false
	}
	for _, st := range steps {
		for path, own := range st.Message.Bound {
			v := st.Message.At(path)
			if v == nil || own.Kind == jsontree.Null || jsontree.Equal(v, own) {
				continue
			}
			about := strings.HasPrefix(path, "path/") && op.Method != http.MethodPost
			if !about && !earlier(v, own) {
				continue
			}
			if r := st.Message.Reading(); r == nil || r.Kind < schema.Invalid {
				return true
			}
		}
	}
	return false
}

// earlier reports whether a number may have been given out before another one.
func earlier(v, own *jsontree.Value) bool {
	if v.Kind != jsontree.Number || own.Kind != jsontree.Number {
		return false
	}
	n, whole := jsontree.Int64(v.Text)
	last, known := jsontree.Int64(own.Text)
	return whole && known && n >= 0 && n < last
}

func messagesOf(steps []plan.Step) []*message.Message {
	out := make([]*message.Message, len(steps))
	for i := range steps {
		out[i] = steps[i].Message
	}
	return out
}
