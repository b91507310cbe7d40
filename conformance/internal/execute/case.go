package execute

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// attempt tries a case, in parallel with others, for the first time or again.
func (run *Run) attempt(ctx context.Context, c *plan.Case, own explore.Session, try Timeout, again bool) *judge.Record {
	facts := run.Target.Facts.Of(c.Op)
	switch {
	case !facts.Accepted && facts.Unreached == "":
		return &judge.Record{Why: unacceptedReason}
	case !facts.Accepted && c.Class.Phase != plan.Scenarios && (c.Draw > 0 || c.Class.Phase == plan.Sequence || c.Class.Phase == plan.Heavy):
		return &judge.Record{Why: unreachedReason}
	case min(c.Class.Connections, limits.Probed) > max(1, run.Target.Facts.Connections):
		return &judge.Record{State: judge.Inapplicable, Why: "the target serves fewer connections at the same time"}
	case run.lost.Load():
		return &judge.Record{Why: LostReason}
	}
	if by, _, enough := run.timeouts.given(c); enough {
		return run.unanswered(c, by)
	}
	id := run.Target.Identity(0)
	if again || run.anew[c] {
		id = run.Target.Identity(run.Target.RetryOf(c))
	}
	steps := run.Target.Plan.Build(c, id)
	if !run.Judge.Differs(c, steps) {
		return &judge.Record{State: judge.Inapplicable, Why: "this token cannot be written in this form"}
	}
	for _, unfit := range []func([]plan.Step) string{run.harms, run.secondPrincipal, run.tooMany} {
		if why := unfit(steps); why != "" {
			return &judge.Record{State: judge.Inapplicable, Why: why}
		}
	}
	return run.checkAll(ctx, c, id, steps, own, try)
}

// harms says why steps are not sent that could do harm to others. It is empty if they can be.
func (run *Run) harms(steps []plan.Step) string {
	for _, st := range steps {
		op := st.Message.Op.First()
		switch off := run.Target.Facts.Of(op).Off; {
		case run.Target.Unasked[op]:
			return "it needs " + op.Name() + ", which is not sent unasked: --allow-disruptive"
		case off != nil && len(steps) > 1:
			return off.Sentence + ": it is tried with single requests alone"
		}
	}
	return ""
}

// secondPrincipal says why the target does not accept the other principal, if a step is sent by
// that one. It is empty if the target does.
func (run *Run) secondPrincipal(steps []plan.Step) string {
	for _, st := range steps {
		if st.Message.Other {
			return run.Target.Facts.SecondPrincipal(st.Message.Op)
		}
	}
	return ""
}

const slowReason = "no time was left for it at the pace of the target (see --max-time)"

// ImpatientReason says why a case has no answer if the target only asked to wait.
const ImpatientReason = "the target asked to wait too long (429, or 503 with Retry-After): lower the rate with --rate N"

// LostReason says why a case was not tried after the target stopped answering.
const LostReason = "the target stopped answering"

// Try sends the steps of a case with an identity and checks every exchange.
func (run *Run) Try(ctx context.Context, c *plan.Case, id plan.Identity, own explore.Session, try Timeout) *judge.Record {
	run.makeRoom(ctx, own)
	run.making.RLock()
	defer run.making.RUnlock()
	return run.checkAll(ctx, c, id, run.Target.Plan.Build(c, id), own, try)
}

// checkAll sends the given steps, with what the target needs, and checks every
// exchange.
func (run *Run) checkAll(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, own explore.Session, try Timeout) *judge.Record {
	run.completeAll(c, id, steps)
	if c.Class.Connections > 1 {
		own.Fresh()
	}
	out, err := run.Play(ctx, c, id, steps, own, try)
	if slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Message.Framing.Chunky() || s.Message.Framing == message.AsIs }) {
		own.Fresh() // a server may read what it left of the body as another request, which is not to blame
	}
	if err != nil {
		return unplayed(ctx, err)
	}
	for i := range out {
		if p := &out[i]; p.Exchange.Status() != 0 && p.Sent.Expectation() == message.Accept {
			run.Target.RefusedValid(p.Step.Message.Op, p.Exchange.Status())
		}
	}
	if run.spent(ctx, c, out, own) {
		return &judge.Record{Why: ExhaustedReason}
	}
	for tries := 0; ; tries++ {
		i := run.over(ctx, c, out, own)
		if i > 0 && tries > 0 && out[i].Exchange.Status() == http.StatusGone {
			return &judge.Record{Why: ExhaustedReason} // it lives for less time than the case takes
		}
		if i < 0 || tries == maxRenewed {
			break
		}
		run.Target.Renewed(c.Op, out[i].Step.Message.Bound)
		if steps, out, err = run.playAnew(ctx, c, &id, own, try); err != nil {
			return unplayed(ctx, err)
		}
	}
	if run.renewable(c) && run.exhausted(ctx, c, out, own) {
		run.Target.Unshare(c.Op)
		if steps, out, err = run.playAnew(ctx, c, &id, own, try); err != nil {
			return unplayed(ctx, err)
		}
	}
	if slices.ContainsFunc(out, func(p judge.Played) bool { return p.Exchange.Unread() }) {
		return &judge.Record{Why: unreadReason()}
	}
	for i := range out {
		if err := out[i].Exchange.Request.Err; err != nil {
			r := run.Judge.TriedRecord(c.Op)
			r.OwnFault = "the bytes of " + c.ID + " cannot be sent: " + err.Error()
			return r
		}
		if transport(out[i].Exchange) {
			e := out[i].Exchange
			return &judge.Record{State: judge.ToRetry, Hung: Hung(e), Kept: Hung(e) && i == 0 && !e.Fresh,
				Began: out[i].Began, Ended: int(run.begun.Load()), Missed: i}
		}
	}
	run.timeouts.answers(c)
	return run.judgeWhole(c, id, steps, out)
}

// maxRenewed is how often a case gets another resource because its own is not there any more.
const maxRenewed = 3

// playAnew sends the steps of a case as a retry of it, about other resources.
func (run *Run) playAnew(ctx context.Context, c *plan.Case, id *plan.Identity, own explore.Session, try Timeout) ([]plan.Step, []judge.Played, error) {
	id.Retry = run.Target.RetryOf(c)
	steps := run.Build(c, *id)
	out, err := run.Play(ctx, c, *id, steps, own, try)
	return steps, out, err
}

// unreadReason says why an answer is not judged that is above the limit of its request.
func unreadReason() string {
	return fmt.Sprintf("the answer is larger than %d MiB: run against a server that holds less", message.MaxRead>>20)
}

// judgeWhole judges a case. A case that was cut short passes nothing.
func (run *Run) judgeWhole(c *plan.Case, id plan.Identity, steps []plan.Step, out []judge.Played) *judge.Record {
	r := run.RecordOf(c, id, out)
	if len(out) < len(steps) && len(r.Failures) == 0 {
		return &judge.Record{Why: slowReason}
	}
	return r
}

// Insist sends steps alone and judges every outcome, drops and time-outs included.
// The error says why they were not sent: the run ended before, the target is lost, asked to wait
// too long, or did not accept a step that others need.
func (run *Run) Insist(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, own explore.Session, try Timeout) (*judge.Record, error) {
	run.makeRoom(ctx, own)
	run.making.RLock()
	defer run.making.RUnlock()
	out, err := run.playReached(ctx, c, id, steps, own, try)
	switch {
	case err != nil:
		return nil, err
	case unreached(out) && run.lost.Load():
		return nil, errors.New(LostReason)
	}
	return run.RecordOf(c, id, out), nil
}

// playReached is Play, once more if the target was away and came back: a request that does not
// reach it says nothing, since another one may have taken it down.
func (run *Run) playReached(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, own explore.Session, try Timeout) ([]judge.Played, error) {
	out, err := run.Play(ctx, c, id, steps, own, try)
	if err != nil || !unreached(out) {
		return out, err
	}
	if _, scenarios := run.revive(ctx, c.Op, nil); !scenarios {
		return out, err
	}
	own.Fresh()
	return run.Play(ctx, c, id, steps, own, try)
}

// unreached reports whether the last of some requests did not reach the target.
func unreached(out []judge.Played) bool {
	if len(out) == 0 {
		return false
	}
	e := out[len(out)-1].Exchange
	return e != nil && e.Failure != nil && e.Failure.Unreached()
}

// RecordOf returns the record of the sent steps. It ends with the first failing
// step, because later failures may follow from it.
func (run *Run) RecordOf(c *plan.Case, id plan.Identity, out []judge.Played) *judge.Record {
	r := run.Judge.TriedRecord(c.Op)
	r.Sent, r.Refused = run.Target.Exchanges(), run.Target.Refusals()
	r.Ended = int(run.begun.Load())
	if len(out) > 0 {
		r.Began = out[len(out)-1].Began
	}
	for i := range out {
		p := &out[i]
		if p.Checked == nil {
			run.Judge.Check(c, id, p)
		}
		got := p.Checked
		if run.Trace != nil {
			run.Trace(c, i, p)
		}
		r.Passed.Union(got.Passed)
		r.Suppressed.Union(got.Suppressed)
		r.Ruled.Union(got.Ruled)
		for _, f := range got.Provisional {
			r.Provisional = append(r.Provisional, judge.Failure{Finding: f, Step: i, Defects: 1, Steps: out[:i+1], Identity: id})
		}
		if i == len(out)-1 {
			r.Observed = append(r.Observed, got.Observed...)
			if len(out) == c.Steps() && !judge.AsExpected(c.Class.Expected, p.Sent, len(p.Step.Message.Bound) > 0 || len(c.Op.Bind) > 0 || c.Op.AsText()) && !judge.Milder(c.Class.Expected, p.Sent) {
				r.OwnFault = "the bytes of " + c.ID + " do not match its expected class"
			}
		}
		for _, f := range got.Failed() {
			r.Failures = append(r.Failures, judge.Failure{Finding: f, Step: i, Defects: judge.Defects(p.Sent), Steps: out[:i+1], Identity: id})
		}
		if got.Reason != nil && !(c.Class.Phase == plan.Scenarios && run.Judge.InPart(got)) {
			break
		}
	}
	return r
}

// Build makes the steps of a case, with what the target needs.
func (run *Run) Build(c *plan.Case, id plan.Identity) []plan.Step {
	steps := run.Target.Plan.Build(c, id)
	run.completeAll(c, id, steps)
	return steps
}

// completeAll adds to requests the optional members that this target needs and, where only the
// writing is tried, puts in values that the target is known to accept. A request that has to be accepted
// stays as it is, unless the target may demand such members.
func (run *Run) completeAll(c *plan.Case, id plan.Identity, steps []plan.Step) {
	for i := range steps {
		m := steps[i].Message
		facts := run.Target.Facts.Of(m.Op)
		if c.Class.Written && m.Op == c.Op {
			facts.UseKnown(m)
		}
		if len(facts.Needs) == 0 || m.Op == c.Op && c.Class.Expected == message.Accept && !facts.Demands {
			continue
		}
		whole := m.Clone()
		if run.Target.Facts.Complete(run.Target.FreshAs(m.Op, id), whole); m.Op != c.Op || !invalid(whole) || invalid(m) {
			*m = *whole // it stays what its case says it is: a form without members, say
		}
	}
}

// invalid reports whether a message breaks its schema.
func invalid(m *message.Message) bool {
	r := m.Reading()
	return r != nil && r.Kind == schema.Invalid
}

// keep stores the record of a case.
func (run *Run) keep(c *plan.Case, r *judge.Record) {
	run.mu.Lock()
	defer run.mu.Unlock()
	run.records.set(c, r)
	run.done++
	if len(r.Failures) > 0 {
		run.failed++
		run.Target.FailedCase()
	}
	if run.Kept != nil {
		run.Kept(c, r)
	}
	run.stopAt(r)
	if run.Progress != nil {
		run.Progress(run.done, len(run.Cases), run.failed)
	}
}

// stopAt ends the run if the record has a failure that is enough.
func (run *Run) stopAt(r *judge.Record) {
	if run.Stops == nil || r == nil {
		return
	}
	for i := range r.Failures {
		if run.Stops(&r.Failures[i]) {
			run.stopped.Store(true)
		}
	}
}

// Ended says why a case has no record.
func (run *Run) Ended() string {
	switch {
	case run.lost.Load():
		return LostReason
	case run.Target.Ended != "":
		return run.Target.Ended
	case !run.settled:
		return unacceptedReason
	}
	return EndedReason
}

const (
	EndedReason      = "the run ended before it was tried"
	unreachedReason  = "the operation is not reached: no baseline request was accepted"
	unacceptedReason = "no baseline request was accepted, so no other result would be reliable"
)

// playAround sends steps at the same time. If one of them is sent in pieces, the others are
// sent after its first piece, and its last piece after they are answered: what a server keeps
// of half a request then matters in whatever order it serves the connections.
func (run *Run) playAround(ctx context.Context, c *plan.Case, list []judge.Played, lines *connections) {
	if len(list) == 1 {
		run.playStep(ctx, c, &list[0], lines, nil)
		return
	}
	var whole []*judge.Played
	var halves, others parallel.Group
	gate := exchange.NewGate()
	defer halves.Wait()
	defer gate.Open()
	for i := range list {
		p := &list[i]
		if p.Step.Message.Framing != message.Pieces {
			whole = append(whole, p)
			continue
		}
		ended := make(chan struct{})
		halves.Go(func() {
			defer close(ended)
			run.playStep(ctx, c, p, lines, gate)
		})
		select {
		case <-gate.Held():
		case <-ended:
		}
	}
	for _, p := range whole {
		others.Go(func() { run.playStep(ctx, c, p, lines, nil) })
	}
	others.Wait()
}
