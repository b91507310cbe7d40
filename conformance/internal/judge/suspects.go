package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// suspects tries again, alone, what was dropped or timed out: a fresh
// connection, a control, the case, a control. One crash drops its innocent
// neighbours, so nothing is judged where it happened.
func (j *Judge) suspects(ctx context.Context, cases []*plan.Case, out *Outcome) {
	failed := map[string]int{}
	innocent := 0
	var last *plan.Case
	for _, c := range cases {
		r := j.records[c]
		if r == nil || r.state != suspect || ctx.Err() != nil {
			continue
		}
		if j.lost.Load() {
			j.records[c] = &record{why: lostReason}
			continue
		}
		if failed[c.Class.Slug] >= suspectsJudged {
			j.records[c] = &record{why: "others of its class were tried in its place"}
			continue
		}
		if r.hung && j.leaveHung(ctx, c) {
			continue
		}
		again := j.alone(ctx, c, out)
		j.records[c] = again
		switch {
		case again.state != tried:
		case len(again.failures) > 0:
			failed[c.Class.Slug]++
		case !r.hung:
			innocent++
			last = c
		}
	}
	if innocent >= flakyDrops && !j.lost.Load() {
		j.flaky(ctx, last)
	}
}

// leaveHung files a case that got no answer where enough is known of such: one
// time-out was confirmed in its class, or in its operation, and it got none again,
// as long as the pace of the target justifies a wait. What is answered is left to
// alone.
func (j *Judge) leaveHung(ctx context.Context, c *plan.Case) bool {
	by, known, _ := j.hangs.given(c)
	switch {
	case j.hangs.isConfirmed(c.Class.Slug):
		j.records[c] = j.unanswered(c, by)
		return true
	case !known && j.hangs.count() < mostHangs:
		return false
	case !known:
		j.records[c] = &record{why: "no answer came soon, and those of other operations were confirmed first"}
		return true
	case !j.hangs.further(c.Op.Slug):
		j.records[c] = j.unanswered(c, by)
		return true
	}
	own := j.Client.Session()
	defer own.Close()
	if r := j.try(ctx, c, j.identity(j.twinOf(c)), own, 1); r.state == suspect {
		j.records[c] = j.unanswered(c, by)
		return true
	}
	return false
}

// alone judges one suspect.
func (j *Judge) alone(ctx context.Context, c *plan.Case, out *Outcome) *record {
	if e, ok := j.control(ctx, c.Op); !ok {
		if e, ok = j.revive(ctx, c, e); !ok {
			if ctx.Err() == nil {
				j.loseTarget(c, e, out)
				return j.records[c]
			}
			return &record{why: endedReason}
		}
	}
	own := j.Client.Session()
	defer own.Close()
	id := j.identity(j.twinOf(c))
	steps := j.Plan.Build(c, id)
	j.completeAll(c, id, steps)
	played, ok := j.play(ctx, c, id, steps, own, whole)
	if !ok {
		return &record{why: endedReason}
	}
	own.Close()
	e, lives := j.control(ctx, c.Op)
	last := played[len(played)-1].ex
	broken := transport(last)
	if broken && !lives {
		_, lives = j.revive(ctx, c, e)
	}
	switch {
	case broken && !lives && ctx.Err() != nil:
		return &record{why: endedReason}
	case broken && !lives:
		r := j.judge(c, id, played)
		j.lost.Store(true)
		out.because("the target stopped answering after " + c.ID)
		return r
	case broken && large(last):
		return j.triedRecord()
	}
	if !broken {
		j.hangs.answered(c.Class.Slug, played)
		return j.judgeWhole(c, id, steps, played)
	}
	r := j.judge(c, id, played)
	if hung(last) && len(r.failures) > 0 {
		j.hangs.confirm(c, j.bound[r.failures[0].at].req.ID)
	}
	return r
}

// large tells whether a connection was reset by a server that may not have read
// the whole request: an answer, or the end of a refusal, may have been lost on
// the way (design, 5.8; RFC 9112, 9.6).
func large(e *exchange.Exchange) bool {
	if closedOnHead(e) {
		return true
	}
	size := len(e.Request.Head) + len(e.Request.Body)
	whole := errors.Is(e.Failure, io.EOF)
	switch e.Failure.Kind {
	case exchange.DroppedWriting:
		return size > lostAnswer
	case exchange.Dropped:
		return size > lostAnswer && !whole
	case exchange.Truncated:
		return size > lostEnd && !whole && e.Response != nil && e.Response.Status/100 == 4
	}
	return false
}

// revive gives a target that is away the time to come back, and two whole
// waits for an answer at least: e is the first control that failed. It gives the
// last one.
func (j *Judge) revive(ctx context.Context, c *plan.Case, e *exchange.Exchange) (*exchange.Exchange, bool) {
	for end := time.Now().Add(revival); ctx.Err() == nil; {
		again, ok := j.control(ctx, c.Op)
		if again != nil {
			e = again
		}
		if ok || !time.Now().Before(end) {
			return e, ok
		}
		pause(ctx, revivalPause)
	}
	return e, false
}

// loseTarget files the death of a target that answered before: the failure is
// that of the first suspect, whatever else was under way.
func (j *Judge) loseTarget(c *plan.Case, e *exchange.Exchange, out *Outcome) {
	j.lost.Store(true)
	out.because("the target stopped answering at or about " + c.ID)
	if e == nil || e.Failure == nil {
		j.records[c] = &record{why: lostReason}
		return
	}
	id := j.identity(0)
	steps := j.Plan.Build(c, id)
	r := j.triedRecord()
	for i := range j.bound {
		b := &j.bound[i]
		if b.rule.Rank == rule.Answered && b.req.Op == c.Op {
			last := steps[len(steps)-1]
			wire := j.Endpoint.Wire(last.Message, c.ID)
			gone := &exchange.Exchange{Request: wire, Failure: e.Failure}
			p := played{step: last, ex: gone, sent: j.Endpoint.Classify(last.Message, wire)}
			f := finding{i, rule.Failed("died", "an answer, and a target that lives on",
				"no answer, and the target answers nothing since: "+e.Failure.Error())}
			r.failures = append(r.failures, failure{finding: f, defects: 1, steps: []played{p}, identity: id})
			break
		}
	}
	j.records[c] = r
}

// flaky looks for a target that drops requests now and then: mild requests,
// alone, each on a fresh connection, until two are dropped. No neighbour can
// have done it.
func (j *Judge) flaky(ctx context.Context, c *plan.Case) {
	dropped := 0
	s := j.Client.Session()
	defer s.Close()
	for n := range flakyProbe {
		s.Fresh()
		g := j.Plan.Preflight(c.Op, j.identity(0), generate.TwinNumber(j.twin()))
		m := j.mild(g)
		e := j.send(ctx, s, m, c.ID, "control")
		if e == nil {
			return
		}
		if e.Failure == nil || e.Failure.Kind == exchange.TimedOut || !transport(e) {
			continue
		}
		if dropped++; dropped < flakyDrops {
			continue
		}
		for i := range j.bound {
			b := &j.bound[i]
			if b.req.Op == c.Op && b.rule.Rank == rule.Answered {
				p := played{step: plan.Step{Message: m}, ex: e, sent: j.Endpoint.Classify(m, e.Request)}
				f := finding{i, rule.Outcome{Verdict: report.Fail, Signature: "flaky", Expected: "an answer to every request",
					Got: fmt.Sprintf("%d of %d mild requests, each alone on a fresh connection, dropped: %s", dropped, n+1, e.Failure.Error())}}
				r := j.records[c]
				r.failures = append(r.failures, failure{finding: f, defects: 1, steps: []played{p}, identity: j.identity(0)})
				return
			}
		}
	}
}
