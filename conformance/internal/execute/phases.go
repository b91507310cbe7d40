package execute

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

// All runs the cases, phase by phase. What was dropped or timed out is tried again,
// alone, at the end of its phase. Then it judges the exchanges of the pre-flight.
func (run *Run) All(ctx context.Context) {
	if run.settled {
		run.phases(ctx)
	}
	for _, o := range run.Target.Openings {
		run.judgeOpening(o)
	}
}

func (run *Run) phases(ctx context.Context) {
	began := time.Now()
	for phase := plan.Single; phase <= plan.Credential; phase++ {
		var cases []*plan.Case
		for _, c := range run.Cases {
			if c.Class.Phase == phase {
				cases = append(cases, c)
			}
		}
		all := cases
		cases = shuffled(cases)
		workers := run.Workers
		if run.Target.Facts.Connections < limits.Probed {
			workers = min(workers, run.Target.Facts.Connections)
		}
		run.phaseEnd = phaseEnd(ctx, began, phase)
		if phase == plan.Sequence && run.slow() {
			// Sequences on one connection may run in parallel. One after the other,
			// they would take most of the run.
			several := func(c *plan.Case) bool { return c.Class.Connections > 1 }
			run.phase(ctx, slices.DeleteFunc(slices.Clone(cases), several), max(workers, 1))
			cases = slices.DeleteFunc(slices.Clone(cases), func(c *plan.Case) bool { return !several(c) })
		}
		if phase == plan.Sequence || phase == plan.Heavy {
			workers = 1
		}
		run.phase(ctx, cases, max(workers, 1))
		run.retryAll(ctx, all)
	}
}

// shuffled returns cases in an order that reveals nothing about them: the plan is
// public, so a target could otherwise predict the next request. The first case of
// each class stays before the others, for a run that has no time for all.
func shuffled(cases []*plan.Case) []*plan.Case {
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b *plan.Case) int {
		return cmp.Or(cmp.Compare(min(a.Draw, 1), min(b.Draw, 1)), cmp.Compare(a.Seed, b.Seed))
	})
	return cases
}

// slow reports whether the target is too slow to run each sequence alone.
func (run *Run) slow() bool {
	median, _ := run.Target.Pace()
	return median > limits.SlowAnswer
}

// phaseEnd returns when a phase stops trying more than one case of each class, so
// that all classes are tried on a slow target. It is zero if the run has no time
// limit.
func phaseEnd(ctx context.Context, began time.Time, phase plan.Phase) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return began.Add(time.Duration(float64(end.Sub(began)) * phaseShare[phase]))
}

// phase gives each case to the next free worker. Each worker keeps one connection;
// together they never open more than the target serves. If many answers are
// missing, all workers stop until one such case was tried alone.
func (run *Run) phase(ctx context.Context, cases []*plan.Case, workers int) {
	var next atomic.Int64
	for int(next.Load()) < len(cases) && ctx.Err() == nil && !run.lost.Load() {
		run.work(ctx, cases, &next, workers)
		if run.hangs.pressing() {
			run.look(ctx, cases)
		}
	}
}

// work lets workers take cases until none is left or a case must be tried alone.
func (run *Run) work(ctx context.Context, cases []*plan.Case, next *atomic.Int64, workers int) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group := parallel.Group{Stop: stop}
	for range workers {
		group.Go(func() {
			own := run.Target.Client.Session()
			defer own.Close()
			for ctx.Err() == nil && !run.lost.Load() && !run.hangs.pressing() {
				at := int(next.Add(1)) - 1
				if at >= len(cases) {
					return
				}
				c := cases[at]
				if c.Draw > 0 && run.late() {
					run.keep(c, &verdict.Record{Why: slowReason})
					continue
				}
				run.keep(c, run.attempt(ctx, c, own, tries(workers)))
			}
		})
	}
	group.Wait()
}

// attempt tries a case for the first time, in parallel with others.
func (run *Run) attempt(ctx context.Context, c *plan.Case, own target.Session, try tries) *verdict.Record {
	switch {
	case !run.Target.Facts.Of(c.Op).Accepted:
		return &verdict.Record{Why: unacceptedReason}
	case c.Class.Connections > 1 && c.Class.Connections > run.Target.Facts.Connections:
		return &verdict.Record{State: verdict.Inapplicable, Why: "the target serves fewer connections at the same time"}
	case run.lost.Load():
		return &verdict.Record{Why: LostReason}
	}
	if by, _, enough := run.hangs.given(c); enough {
		return run.unanswered(c, by)
	}
	if c.Class.Expected == plan.ExpectRefusedCredential && !run.Judge.Differs(c) {
		return &verdict.Record{State: verdict.Inapplicable, Why: "this token cannot be written in this form"}
	}
	id := run.Target.Identity(0)
	return run.Try(ctx, c, id, own, try)
}

const slowReason = "the target is slow: only one case of each class was tried"

// ImpatientReason says why a case has no answer if the target only asked to wait.
const ImpatientReason = "the target asked to wait too long (429, or 503 with Retry-After): lower the rate with --rate N"

// LostReason says why a case was not tried after the target stopped answering.
const LostReason = "the target stopped answering"

// Try sends the steps of a case with an identity and checks every exchange.
func (run *Run) Try(ctx context.Context, c *plan.Case, id generate.Identity, own target.Session, try tries) *verdict.Record {
	steps := run.Target.Plan.Build(c, id)
	run.CompleteAll(c, id, steps)
	return run.checkAll(ctx, c, id, steps, own, try)
}

// checkAll sends the given steps and checks every exchange.
func (run *Run) checkAll(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, own target.Session, try tries) *verdict.Record {
	if c.Class.Connections > 1 {
		own.Fresh()
	}
	out, ok := run.Play(ctx, c, id, steps, own, try)
	if !ok {
		why := EndedReason
		if ctx.Err() == nil {
			why = ImpatientReason
		}
		return &verdict.Record{Why: why}
	}
	for i := range out {
		if err := out[i].Exchange.Request.Err; err != nil {
			r := run.Judge.TriedRecord(c.Op)
			r.OwnFault = "the bytes of " + c.ID + " cannot be sent: " + err.Error()
			return r
		}
		if transport(out[i].Exchange) {
			return &verdict.Record{State: verdict.ToRetry, Hung: Hung(out[i].Exchange)}
		}
	}
	return run.judgeWhole(c, id, steps, out)
}

// judgeWhole judges a case. A case that was cut short passes nothing.
func (run *Run) judgeWhole(c *plan.Case, id generate.Identity, steps []plan.Step, out []verdict.Played) *verdict.Record {
	r := run.RecordOf(c, id, out)
	if len(out) < len(steps) && len(r.Failures) == 0 {
		return &verdict.Record{Why: slowReason}
	}
	return r
}

// late reports whether the time for this phase is over.
func (run *Run) late() bool { return !run.phaseEnd.IsZero() && time.Now().After(run.phaseEnd) }

// Insist sends steps alone and judges every outcome, drops and time-outs included.
// It returns nil if the run ended before.
func (run *Run) Insist(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, own target.Session, try tries) *verdict.Record {
	out, ok := run.Play(ctx, c, id, steps, own, try)
	if !ok {
		return nil
	}
	return run.RecordOf(c, id, out)
}

// RecordOf returns the record of the sent steps. It ends with the first failing
// step, because later failures may follow from it.
func (run *Run) RecordOf(c *plan.Case, id generate.Identity, out []verdict.Played) *verdict.Record {
	r := run.Judge.TriedRecord(c.Op)
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
		for _, f := range got.Provisional {
			r.Provisional = append(r.Provisional, verdict.Failure{Finding: f, Step: i, Defects: 1, Steps: out[:i+1], Identity: id})
		}
		if i == len(out)-1 {
			r.Observed = append(r.Observed, got.Observed...)
			if len(out) == c.Steps() && !verdict.AsExpected(c.Class.Expected, p.Sent) {
				r.OwnFault = "the bytes of " + c.ID + " do not match its expected class"
			}
		}
		for _, f := range append(reasons(got), got.Warnings...) {
			r.Failures = append(r.Failures, verdict.Failure{Finding: f, Step: i, Defects: verdict.Defects(p.Sent), Steps: out[:i+1], Identity: id})
		}
		if got.Reason != nil {
			break
		}
	}
	return r
}

func reasons(c *verdict.Checked) []verdict.Finding {
	if c.Reason == nil {
		return nil
	}
	return []verdict.Finding{*c.Reason}
}

// CompleteAll adds to requests the optional members that this target needs.
func (run *Run) CompleteAll(c *plan.Case, id generate.Identity, steps []plan.Step) {
	if len(run.Target.Facts.Of(c.Op).Needs) == 0 || c.Class.Expected == plan.ExpectMustAccept {
		return
	}
	for i := range steps {
		g := run.Target.FreshAs(c.Op, id)
		run.Target.Facts.Complete(g, steps[i].Message)
	}
}

// keep stores the record of a case.
func (run *Run) keep(c *plan.Case, r *verdict.Record) {
	run.mu.Lock()
	defer run.mu.Unlock()
	run.records[c] = r
	run.done++
	if len(r.Failures) > 0 {
		run.failed++
	}
	if run.Progress != nil {
		run.Progress(run.done, len(run.Cases), run.failed)
	}
}

// Ended says why a case has no record.
func (run *Run) Ended() string {
	switch {
	case run.lost.Load():
		return LostReason
	case !run.settled:
		return unacceptedReason
	}
	return EndedReason
}

const (
	EndedReason      = "the run ended before it was tried"
	unacceptedReason = "no baseline request was accepted, so no other result would be reliable"
)

// phaseShare is the part of the time limit after which a phase stops trying more
// than one case of each class. The rest is for confirming failures.
var phaseShare = [...]float64{plan.Single: 0.50, plan.Sequence: 0.65, plan.Heavy: 0.72, plan.Credential: 0.92}
