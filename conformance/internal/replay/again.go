package replay

import (
	"context"
	"time"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// unstableTries is how often a case is sent of which the run saw only one failure: it may
// need several tries to fail again.
const unstableTries = 5

// Again says what became of a recorded failure of a requirement. It sends the recorded
// requests, which show it best, and the case that they come from with fresh values: a
// value that was sent before may be refused, or be answered with what it named then.
// Only the outcome, what fails now and the reason are set.
func (p *Player) Again(ctx context.Context, c *plan.Case, r Recorded, requirement string) report.Replayed {
	if e, answered := p.target.Control(ctx, c.Op); e != nil && !answered {
		return notTried(ctx, execute.LostReason)
	}
	p.judge.Cover([]*plan.Case{c})
	p.judge.Insist(requirement)
	now := report.Replayed{Outcome: report.Fixed}
	weigh := func(record *judge.Record, used bool) (done bool) {
		if record == nil {
			now = notTried(ctx, "the target asked to wait too long, or what the case needs could not be made")
			return true
		}
		f := p.failing(record, requirement, used && r.Cause == "")
		switch {
		case f == nil:
			return false
		case p.isOf(f, requirement):
			now.Outcome = report.StillFails
		case now.Outcome != report.Changed:
			now.Outcome = report.Changed
		default:
			return false // the first one is enough
		}
		b := p.judge.Bound[f.At]
		now.Fails, now.FailsLevel, now.Got = b.ID, b.Level, p.explain.Hide(f.Outcome.Got)
		return now.Outcome == report.StillFails
	}
	if len(r.Steps) > 0 && r.tooLarge() < 0 {
		steps, err := p.recognise(c, r)
		if err != nil {
			return notTried(ctx, "it differs from what the plan sends ("+err.Error()+"), so nothing was sent")
		}
		if weigh(p.once(ctx, c, generate.Identity{}, steps), true) {
			return now
		}
	}
	tries := 1
	if !r.Stable {
		tries = unstableTries
	}
	first := int(time.Now().UnixNano() / 1000 % 4000) // so that a second replay has fresh values too
	for range tries {
		id := p.target.Identity(0)
		id.Retry = first + p.target.RetryOf(c)
		if weigh(p.once(ctx, c, id, nil), false) {
			break
		}
	}
	return now
}

// notTried gives the reason, or that the replay ended.
func notTried(ctx context.Context, reason string) report.Replayed {
	if ctx.Err() != nil {
		reason = execute.EndedReason
	}
	return report.Replayed{Outcome: report.NotTried, Reason: reason}
}

// once sends steps, or those of the case, and judges the answers. It returns nil if not
// all could be sent.
func (p *Player) once(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step) *judge.Record {
	own := p.target.Client.Session()
	defer own.Close()
	if steps == nil {
		steps = p.target.Plan.Build(c, id)
		p.run.CompleteAll(c, id, steps)
	}
	return p.run.Insist(ctx, c, id, steps, own, execute.Whole)
}

// failing returns the failure of a record that says most: one of the requirement, else
// the first. If used is set, the target may have met the values before, and what that
// explains does not count.
func (p *Player) failing(r *judge.Record, requirement string, used bool) *judge.Failure {
	var out *judge.Failure
	for i := range r.Failures {
		f := &r.Failures[i]
		if used && p.mayBeUsed(f) {
			continue
		}
		if p.isOf(f, requirement) {
			return f
		}
		if out == nil {
			out = f
		}
	}
	for i := range r.Provisional {
		if f := &r.Provisional[i]; !used && p.judge.Bound[f.At].ID == requirement {
			return f
		}
	}
	return out
}

// mayBeUsed reports whether a failure may come from values that were sent before.
func (p *Player) mayBeUsed(f *judge.Failure) bool {
	switch p.judge.Bound[f.At].Rule.Role {
	case rule.RoleAcceptance, rule.RoleOmission, rule.RoleOpen, rule.RoleEcho, rule.RoleBelonging:
		return true
	}
	return false
}

// isOf reports whether a failure is one of the requirement. What one request breaks may
// be reported under another requirement with the same rule, as in a run.
func (p *Player) isOf(f *judge.Failure, requirement string) bool {
	at := p.judge.Bound[f.At]
	if at.ID == requirement {
		return true
	}
	for _, b := range p.judge.Bound {
		if b.ID == requirement {
			return b.Rule == at.Rule && b.Op == at.Op
		}
	}
	return false
}
