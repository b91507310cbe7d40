package execute

import (
	"context"
	"errors"
	"io"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/internal/limits"
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
		run.hangs.cleared(c, r, again)
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
	if c := run.hangs.starving(); c != nil && !run.lost.Load() {
		run.starved(ctx, c)
	}
}

// leaveHung records a case without an answer if enough is known about it: a
// time-out was confirmed in its class or operation, and it got no answer again
// within a wait that the pace of the target justifies. A case that is answered is
// left to alone.
func (run *Run) leaveHung(ctx context.Context, c *plan.Case) bool {
	by, known, _ := run.hangs.given(c)
	switch {
	case run.hangs.isConfirmed(c.Class.Slug):
		run.records.set(c, run.unanswered(c, by))
		return true
	case !known && run.hangs.count() < limits.MostHangs:
		return false
	case !known:
		run.records.set(c, &judge.Record{Why: "no answer in time; time-outs of other operations were confirmed first"})
		return true
	case !run.hangs.further(c.Op.Slug):
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
	if e, ok := run.Target.Control(ctx, c.Op); !ok {
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
	steps := run.Target.Plan.Build(c, id)
	run.CompleteAll(c, id, steps)
	played, err := run.playReached(ctx, c, id, steps, own, Whole)
	if err != nil {
		return unplayed(ctx, err)
	}
	if run.spent(ctx, c, played, own) {
		return &judge.Record{Why: WornReason}
	}
	own.Close()
	e, lives := run.Target.Control(ctx, c.Op)
	last := played[len(played)-1].Exchange
	broken := transport(last)
	if broken && !lives {
		_, lives = run.revive(ctx, c.Op, e)
	}
	switch {
	case broken && !lives && ctx.Err() != nil:
		return &judge.Record{Why: EndedReason}
	case broken && !lives:
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
		run.hangs.answered(c.Class.Slug, played)
		return run.judgeWhole(c, id, steps, played)
	}
	r := run.RecordOf(c, id, played)
	if stalled(last) && len(r.Failures) > 0 {
		run.hangs.confirm(c, run.Judge.Bound[r.Failures[0].At].ID)
	}
	return r
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
		again, ok := run.Target.Control(ctx, op)
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
func (run *Run) unansweredFailure(c *plan.Case, p judge.Played, id generate.Identity, out rule.Outcome) judge.Failure {
	return judge.Failure{Finding: judge.Finding{At: run.Judge.Answered(c), Outcome: out}, Defects: 1,
		Steps: []judge.Played{p}, Identity: id}
}
