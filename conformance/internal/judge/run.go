package judge

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// phases runs the cases, phase after phase; what was dropped or timed out is
// tried again, alone, at the end of the phase.
func (j *Judge) phases(ctx context.Context, out *Outcome) {
	began := time.Now()
	for phase := plan.Single; phase <= plan.Credential; phase++ {
		var cases []*plan.Case
		for _, c := range j.Cases {
			if c.Class.Phase == phase {
				cases = append(cases, c)
			}
		}
		all := cases
		cases = shuffled(cases)
		workers := j.Workers
		if j.facts.Connections < probed {
			workers = min(workers, j.facts.Connections)
		}
		j.phaseEnd = phaseEnd(ctx, began, phase)
		if phase == plan.Sequence && j.slow() {
			// Sequences on one connection may run beside each other: alone they would
			// take most of the run.
			several := func(c *plan.Case) bool { return c.Class.Connections > 1 }
			j.phase(ctx, slices.DeleteFunc(slices.Clone(cases), several), max(workers, 1), out)
			cases = slices.DeleteFunc(slices.Clone(cases), func(c *plan.Case) bool { return !several(c) })
		}
		if phase == plan.Sequence || phase == plan.Heavy {
			workers = 1
		}
		j.phase(ctx, cases, max(workers, 1), out)
		j.suspects(ctx, all, out)
	}
}

// shuffled gives cases in an order that tells nothing about them: the plan is no
// secret, and by its order a target would know what comes next. The first case of
// each class stays before the others, for a run that has no time for all.
func shuffled(cases []*plan.Case) []*plan.Case {
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b *plan.Case) int {
		return cmp.Or(cmp.Compare(min(a.Draw, 1), min(b.Draw, 1)), cmp.Compare(a.Seed, b.Seed))
	})
	return cases
}

// slow tells whether sequences cannot all run alone.
func (j *Judge) slow() bool {
	median, _ := j.pace.summary()
	return median > slowAnswer
}

// phaseEnd is when a phase stops trying more than one case of each class, so
// that a slow target is tried in all classes rather than in some; zero where
// the run has no end.
func phaseEnd(ctx context.Context, began time.Time, phase plan.Phase) time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return began.Add(time.Duration(float64(end.Sub(began)) * phaseShare[phase]))
}

// phase gives every case to the next free worker. Each worker keeps one
// connection; together they never hold more than the target serves. Where many
// answers do not come, all stop until one such case was tried alone.
func (j *Judge) phase(ctx context.Context, cases []*plan.Case, workers int, out *Outcome) {
	var next atomic.Int64
	for int(next.Load()) < len(cases) && ctx.Err() == nil && !j.lost.Load() {
		j.work(ctx, cases, &next, workers)
		if j.hangs.pressing() {
			j.look(ctx, cases, out)
		}
	}
}

// work lets workers take cases until none is left or a look is called for.
func (j *Judge) work(ctx context.Context, cases []*plan.Case, next *atomic.Int64, workers int) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group := parallel.Group{Stop: stop}
	for range workers {
		group.Go(func() {
			own := j.Client.Session()
			defer own.Close()
			for ctx.Err() == nil && !j.lost.Load() && !j.hangs.pressing() {
				at := int(next.Add(1)) - 1
				if at >= len(cases) {
					return
				}
				c := cases[at]
				if c.Draw > 0 && j.late() {
					j.keep(c, &record{why: slowReason})
					continue
				}
				j.keep(c, j.attempt(ctx, c, own, tries(workers)))
			}
		})
	}
	group.Wait()
}

// attempt tries a case where it happens to stand.
func (j *Judge) attempt(ctx context.Context, c *plan.Case, own *exchange.Session, try tries) *record {
	switch {
	case !j.facts.of(c.Op).Accepted:
		return &record{why: unacceptedReason}
	case c.Class.Connections > 1 && c.Class.Connections > j.facts.Connections:
		return &record{state: inapplicable, why: "the target serves fewer connections at once"}
	case j.lost.Load():
		return &record{why: lostReason}
	}
	if by, _, enough := j.hangs.given(c); enough {
		return j.unanswered(c, by)
	}
	if c.Class.Claim == plan.ClaimRefusedCredential && !j.differs(c) {
		return &record{state: inapplicable, why: "this token has no such form"}
	}
	id := j.identity(0)
	return j.try(ctx, c, id, own, try)
}

// differs tells whether a credential made from the token is another one: a
// token without letters has no other case.
func (j *Judge) differs(c *plan.Case) bool {
	steps := j.Plan.Build(c, j.identity(0))
	m := steps[len(steps)-1].Message
	return j.Endpoint.Classify(m, j.Endpoint.Wire(m, c.ID)).Duty() == request.RefuseCredential
}

const slowReason = "the target is slow, and one case of each class came first"

const impatientReason = "the target asked for more patience than a case has (429, or 503 with Retry-After): send less with --rate N"

const lostReason = "the target stopped answering"

// try plays a case with an identity and checks every exchange.
func (j *Judge) try(ctx context.Context, c *plan.Case, id generate.Identity, own *exchange.Session, try tries) *record {
	steps := j.Plan.Build(c, id)
	j.completeAll(c, id, steps)
	return j.checkAll(ctx, c, id, steps, own, try)
}

// checkAll plays given steps and checks every exchange.
func (j *Judge) checkAll(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, own *exchange.Session, try tries) *record {
	if c.Class.Connections > 1 {
		own.Fresh()
	}
	out, ok := j.play(ctx, c, id, steps, own, try)
	if !ok {
		why := endedReason
		if ctx.Err() == nil {
			why = impatientReason
		}
		return &record{why: why}
	}
	for i := range out {
		if err := out[i].ex.Request.Err; err != nil {
			r := j.triedRecord()
			r.wrong = "the bytes of " + c.ID + " may not be sent: " + err.Error()
			return r
		}
		if transport(out[i].ex) {
			return &record{state: suspect, hung: hung(out[i].ex)}
		}
	}
	return j.judgeWhole(c, id, steps, out)
}

// judgeWhole judges a case; one that was cut short passes nothing.
func (j *Judge) judgeWhole(c *plan.Case, id generate.Identity, steps []plan.Step, out []played) *record {
	r := j.judge(c, id, out)
	if len(out) < len(steps) && len(r.failures) == 0 {
		return &record{why: slowReason}
	}
	return r
}

// late tells whether the time for this phase is over.
func (j *Judge) late() bool { return !j.phaseEnd.IsZero() && time.Now().After(j.phaseEnd) }

// insist plays steps alone and judges what came, drops and time-outs too; nil
// where the run ended first.
func (j *Judge) insist(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, own *exchange.Session, try tries) *record {
	out, ok := j.play(ctx, c, id, steps, own, try)
	if !ok {
		return nil
	}
	return j.judge(c, id, out)
}

// judge checks played steps into a record; a failing step ends it, for what
// comes behind may follow from it.
func (j *Judge) judge(c *plan.Case, id generate.Identity, out []played) *record {
	r := j.triedRecord()
	for i := range out {
		p := &out[i]
		if p.checked == nil {
			s := &subject{op: c.Op, class: c.Class.Slug, place: c.Class.Place.Path, owner: p.owner, sent: p.sent, ex: p.ex, got: p.got}
			got := j.check(s, j.aims[c])
			p.checked = &got
			j.answers.note(c.ID, p)
			j.lighten(p)
		}
		got := p.checked
		j.trace.write(c, i, p, got, j)
		r.passed.add(got.passed)
		r.masked.add(got.masked)
		for _, f := range got.weak {
			r.weak = append(r.weak, failure{finding: f, step: i, defects: 1, steps: out[:i+1], identity: id})
		}
		if i == len(out)-1 {
			r.observed = append(r.observed, got.observed...)
			if len(out) == c.Steps() && !claimHolds(c.Class.Claim, p.sent) {
				r.wrong = "the bytes of " + c.ID + " are not what its class says"
			}
		}
		for _, f := range append(reasons(got), got.warnings...) {
			r.failures = append(r.failures, failure{finding: f, step: i, defects: defects(p.sent), steps: out[:i+1], identity: id})
		}
		if got.reason != nil {
			break
		}
	}
	return r
}

func reasons(c *checked) []finding {
	if c.reason == nil {
		return nil
	}
	return []finding{*c.reason}
}

// completeAll gives requests that are not the base themselves what this target
// needs.
func (j *Judge) completeAll(c *plan.Case, id generate.Identity, steps []plan.Step) {
	if len(j.facts.of(c.Op).Needs) == 0 || c.Class.Claim == plan.ClaimPlain {
		return
	}
	for i := range steps {
		g := j.Plan.Preflight(c.Op, id, generate.TwinNumber(j.twin()))
		j.facts.complete(g, steps[i].Message)
	}
}

// keep files the record of a case.
func (j *Judge) keep(c *plan.Case, r *record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.records[c] = r
	j.done++
	if len(r.failures) > 0 {
		j.failed++
	}
	if j.Progress != nil {
		j.Progress(j.done, len(j.Cases), j.failed)
	}
}
