package explore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// share is the part of the time limit after which the pre-flight asks no more. The rest is for
// the cases: a run that only explored tells nothing.
const share = 1.0 / 3

// LearnInShare is Learn for a run of cases: operations that are not reached in its share of the
// time limit are left out. A run without a time limit has all the time.
func (t *Target) LearnInShare(ctx context.Context) bool {
	end, limited := ctx.Deadline()
	if !limited {
		return t.Learn(ctx)
	}
	asking, enough := context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*share))
	defer enough()
	return t.learn(ctx, asking)
}

// inTime reports whether an operation was accepted before the time was over. Otherwise it counts as
// not reached: what was learned about it may be only half of the truth.
func (p *preflight) inTime(asking context.Context, accepted bool) bool {
	if asking.Err() == nil {
		return accepted
	}
	if accepted && p.message != nil && p.last != nil {
		p.t.Hold(Opening{Op: p.op, Message: p.message, Exchange: p.last})
	}
	p.facts.Accepted, p.facts.Reached, p.facts.Needs = false, nil, nil
	return false
}

// cancelled reports whether a run was interrupted.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// NoTime is why an operation is not reached if the time limit left no time to find out how.
const NoTime = "the pre-flight had no time for it (see --max-time)"

// outOfTime records which operations are not reached because the time was over. What was
// answered meanwhile is judged.
func (t *Target) outOfTime(refused []*preflight) {
	for _, p := range refused {
		if r := p.refused; r != nil && p.facts.Unreached == "" && !p.facts.Accepted && r.Exchange.Failure == nil {
			p.facts.Status = r.Exchange.Response.Status
			if p.facts.Status >= 500 {
				t.Hold(*r) // no request may be answered so
			}
		}
	}
	n := 0
	for _, op := range t.tried() {
		if f := t.Facts.ops[op]; !f.Accepted && f.Unreached == "" && f.Refused == "" {
			f.Unreached, f.Help = NoTime, "give more time with --max-time"
			n++
		}
	}
	if n > 0 {
		t.Because(fmt.Sprintf("%d operations are not reached: the pre-flight had no time for them: give more time with --max-time", n))
	}
}
