package execute

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// retryAll tries again, alone, what was dropped or timed out: a control, the case,
// and another control, each on a fresh connection. One crash drops the requests in
// parallel with it too, so nothing is judged when it happens.
func (run *Run) retryAll(ctx context.Context, cases []*plan.Case) {
	failed := map[string]int{}
	innocent := 0
	var last *plan.Case
	for _, c := range cases {
		r := run.records.of(c)
		if r == nil || r.State != judge.ToRetry || ctx.Err() != nil {
			continue
		}
		if run.lost.Load() {
			run.records.set(c, &judge.Record{Why: LostReason})
			continue
		}
		if failed[c.Class.Slug] >= limits.RetriesJudged {
			run.records.set(c, &judge.Record{Why: "other cases of its class were tried instead"})
			continue
		}
		if r.Hung && run.leaveHung(ctx, c) {
			continue
		}
		again := run.alone(ctx, c)
		run.records.set(c, again)
		run.timeouts.cleared(c, r, again)
		switch {
		case again.State != judge.Tried:
		case len(again.Failures) > 0:
			failed[c.Class.Slug]++
		case !r.Hung:
			innocent++
			last = c
		}
	}
	if innocent < limits.FlakyDrops {
		last = run.dropped.take()
	}
	if last != nil && !run.lost.Load() {
		run.flaky(ctx, last)
	}
	if c := run.timeouts.starving(); c != nil && !run.lost.Load() {
		run.starved(ctx, c)
	}
}

// leaveHung records a case without an answer if enough is known about it: a
// time-out was confirmed in its class or operation, and it got no answer again
// within a wait that the pace of the target justifies. A case that is answered is
// left to alone.
func (run *Run) leaveHung(ctx context.Context, c *plan.Case) bool {
	by, known, _ := run.timeouts.given(c)
	switch {
	case run.timeouts.isConfirmed(c.Class.Slug):
		run.records.set(c, run.unanswered(c, by))
		return true
	case !known && run.timeouts.count() < limits.MaxTimeouts:
		return false
	case !known:
		run.records.set(c, &judge.Record{Why: "no answer in time; time-outs of other operations were confirmed first"})
		return true
	case !run.timeouts.additional(c.Op.Slug):
		run.records.set(c, run.unanswered(c, by))
		return true
	}
	own := run.Target.Client.Session()
	defer own.Close()
	if r := run.Try(ctx, c, run.Target.Identity(run.Target.RetryOf(c)), own, 1); r.State == judge.ToRetry {
		run.records.set(c, run.unanswered(c, by))
		return true
	}
	return false
}

// comingReason says why a case has no answer if the target sends it too slowly.
const comingReason = "the answer was still coming when the time was up: allow more with --timeout"

// alone tries one case again, between controls, and judges it.
func (run *Run) alone(ctx context.Context, c *plan.Case) *judge.Record {
	if e, ok := run.control(ctx, c.Op); !ok {
		if e, ok = run.revive(ctx, c.Op, e); !ok {
			if ctx.Err() == nil {
				run.loseTarget(c, e)
				return run.records.of(c)
			}
			return &judge.Record{Why: EndedReason}
		}
	}
	own := run.Target.Client.Session()
	defer own.Close()
	id := run.Target.Identity(run.Target.RetryOf(c))
	steps := run.Build(c, id)
	played, err := run.playReached(ctx, c, id, steps, own, Whole)
	if err != nil {
		return unplayed(ctx, err)
	}
	if run.spent(ctx, c, played, own) {
		return &judge.Record{Why: ExhaustedReason}
	}
	own.Close()
	e, scenarios := run.control(ctx, c.Op)
	last := played[len(played)-1].Exchange
	broken := transport(last)
	if broken && !scenarios {
		_, scenarios = run.revive(ctx, c.Op, e)
	}
	switch {
	case broken && !scenarios && ctx.Err() != nil:
		return &judge.Record{Why: EndedReason}
	case broken && !scenarios:
		r := run.RecordOf(c, id, played)
		run.lost.Store(true)
		run.end = end{of: c, sentence: "the target answered right before this request, which was sent alone, and nothing since"}
		run.Target.Because("the target stopped answering after " + c.ID)
		return r
	case broken && last.Coming:
		return &judge.Record{Why: comingReason}
	case broken && large(last):
		return run.Judge.TriedRecord(c.Op)
	}
	if !broken {
		run.timeouts.answered(c.Class.Slug, played)
		return run.judgeWhole(c, id, steps, played)
	}
	r := run.RecordOf(c, id, played)
	if stalled(last) && len(r.Failures) > 0 {
		run.timeouts.confirm(c, run.Judge.Bound[r.Failures[0].At].ID)
	}
	return r
}

// control sends the baseline request of an operation, or that of another one if the thing that it needs
// cannot be made: that such a thing is refused is no sign that the target is dead.
func (run *Run) control(ctx context.Context, op *openapi.Operation) (*exchange.Exchange, bool) {
	e, ok := run.Target.Control(ctx, op)
	if other := run.Target.AcceptedOp(); e == nil && other != op {
		return run.Target.Control(ctx, other)
	}
	return e, ok
}

// large reports whether a connection was reset by a server that may not have read
// the whole request: an answer, or the end of a refusal, may have been lost on the
// way (RFC 9112, 9.6).
func large(e *exchange.Exchange) bool {
	if explore.ClosedOnHead(e) {
		return true
	}
	size := len(e.Request.Head) + len(e.Request.Body)
	whole := errors.Is(e.Failure, io.EOF)
	switch e.Failure.Kind {
	case exchange.DroppedWriting:
		return size > limits.LostAnswer
	case exchange.Dropped:
		return size > limits.LostAnswer && !whole
	case exchange.Truncated:
		return size > limits.LostEnd && !whole && e.Response != nil && e.Response.Status/100 == 4
	}
	return false
}

// revive waits for a target that is away to come back, as long as the user said if that is
// longer. The exchange e is the first control that failed. It returns the
// last control, and whether that was answered.
func (run *Run) revive(ctx context.Context, op *openapi.Operation, e *exchange.Exchange) (*exchange.Exchange, bool) {
	defer run.Target.Waits.For("waiting for the server to answer again")()
	for end := time.Now().Add(max(limits.Revival, run.Wait)); ctx.Err() == nil; {
		again, ok := run.control(ctx, op)
		if again != nil {
			e = again
		}
		if ok || !time.Now().Before(end) {
			return e, ok
		}
		client.Pause(ctx, limits.RevivalPause)
	}
	return e, false
}

// unansweredFailure reports a request without an answer under the requirement that
// every request gets one.
func (run *Run) unansweredFailure(c *plan.Case, p judge.Played, id plan.Identity, out requirement.Outcome) judge.Failure {
	return judge.Failure{Finding: judge.Finding{At: run.Judge.Answered(c), Outcome: out}, Defects: 1,
		Steps: []judge.Played{p}, Identity: id}
}

// asideWorkers is the most workers that try cases that wait. If the target is not known to serve
// more, that leaves two connections for the other cases, enough for two cores.
const asideWorkers = 6

// aside tries the cases that mostly wait while the run goes on with others. If all workers
// waited, nothing else would happen meanwhile.
type aside struct {
	run     *Run
	cases   []*plan.Case
	row     *row           // nil if they are left in their phase
	workers int            // that try them
	tried   *parallel.Task // nil before and after
}

// setAside begins with the cases that mostly wait. It leaves them in their phase if the
// target is slow or serves few connections, or the user wants few: they would take those
// of other cases.
func (run *Run) setAside(ctx context.Context) *aside {
	a := &aside{run: run}
	if min(run.Workers, run.Target.Facts.Connections) < limits.Probed || run.slow() {
		return a
	}
	for _, c := range run.Cases {
		if a.is(c) && run.records.of(c) == nil {
			a.cases = append(a.cases, c)
		}
	}
	if len(a.cases) == 0 {
		return a
	}
	a.cases = run.ordered(a.cases)
	slices.SortStableFunc(a.cases, func(a, b *plan.Case) int { return cmp.Compare(b.Class.Waits, a.Class.Waits) })
	a.row = &row{cases: a.cases}
	a.workers = min(len(a.cases), asideWorkers)
	run.connections.TryAcquire(int64(a.workers)) // nobody else has any yet
	a.tried = parallel.Start(func() { run.work(ctx, a.row, workerPool{workers: a.workers, connected: true}) })
	return a
}

// is reports whether a case may be one of them. What deletes a collection may not run
// beside other cases.
func (a *aside) is(c *plan.Case) bool {
	return c.Class.Waits > 0 && c.Class.Phase == plan.Single && !a.run.Target.Clears(c.Op) && a.run.Target.Facts.Of(c.Op.First()).Off == nil
}

// has reports whether a case is one of them.
func (a *aside) has(c *plan.Case) bool { return a.row != nil && a.is(c) }

// before ends with these cases if those of the next phase must not run beside them: what
// they make would be in the lists that a scenario reads, and a target may lock out who
// sends wrong credentials.
func (a *aside) before(ctx context.Context, next plan.Phase, cases []*plan.Case) {
	if next == plan.Credential || next == plan.Scenarios && len(cases) > 0 {
		a.end(ctx)
	}
}

// end waits for these cases, and tries again what was dropped or timed out.
func (a *aside) end(ctx context.Context) {
	if a.tried == nil {
		return
	}
	a.tried.Wait()
	a.tried = nil
	a.run.phase(ctx, a.cases, a.row, workerPool{workers: a.workers})
	a.run.conclude(ctx, a.cases)
}

// repaired checks at the end of a stage whether a request turned other operations off. If so, it
// forgets what the cases showed since then, and reports whether they can be tried again.
func (run *Run) repaired(ctx context.Context, s stage, cases []*plan.Case, waiting *aside) bool {
	if run.lost.Load() {
		return false
	}
	harm := run.Target.Harmed(ctx, run.refusals(cases), func() { waiting.end(ctx) })
	if harm == nil {
		return false
	}
	if waiting.row != nil && s.phase == plan.Single {
		cases = slices.Concat(cases, waiting.cases)
		waiting.row = nil // they are tried with their stage now
	}
	again := run.Target.Ended == ""
	for _, c := range cases {
		r := run.records.of(c)
		if r == nil || r.State == judge.Inapplicable || r.Why == slowReason || r.Why == postponedReason || r.State == judge.Tried && r.Sent < harm.Since || crashed(r, harm) {
			continue
		}
		if run.turnsOff(c) && len(r.Failures) == 0 {
			continue // it was sent for its own effect
		}
		if len(r.Failures) > 0 {
			run.failed--
		}
		run.done--
		run.records.set(c, nil)
		run.anew[c] = true
	}
	run.stopped.Store(false)
	for _, c := range cases {
		run.stopAt(run.records.of(c))
	}
	return again && !run.stopped.Load()
}

// refusals are the requests of cases that were answered with a server error, or refused although
// they are valid.
func (run *Run) refusals(cases []*plan.Case) (out []explore.Refusal) {
	for _, c := range cases {
		r := run.records.of(c)
		if r == nil || len(r.Failures) == 0 {
			continue
		}
		f := r.Failures[0]
		p := f.Steps[f.Step]
		if p.Exchange.Failure != nil {
			continue
		}
		if status := p.Exchange.Status(); status >= 500 || status >= 400 && p.Sent.Expectation() == message.Accept {
			out = append(out, explore.Refusal{Op: p.Step.Message.Op, At: r.Sent})
		}
	}
	return out
}

// crashed reports whether a record has a failure that the harm does not explain: no answer, or a
// server error with another status.
func crashed(r *judge.Record, harm *explore.Harm) bool {
	return slices.ContainsFunc(r.Failures, func(f judge.Failure) bool {
		e := f.Steps[f.Step].Exchange
		return e.Failure != nil || e.Status() >= 500 && !slices.Contains(harm.Statuses, e.Status())
	})
}
