package reports

import (
	"context"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/serialize"
	"plantstore/conformance/report"
)

// Player sends single cases again.
type Player struct {
	target  *explore.Target
	judge   *judge.Judge
	run     *execute.Run
	explain *diagnose.Explainer
	// last is what came of the case that was played last, and repeated says that it failed like a
	// request that repeats a value.
	last     *judge.Record
	repeated bool
}

// NewPlayer returns a player that sends to a target, which may take some time to show what it
// accepted.
func NewPlayer(t *explore.Target, j *judge.Judge, settle time.Duration) *Player {
	run := execute.New(t, j, execute.Settings{Workers: 1, Settle: settle}, nil, false)
	return &Player{target: t, judge: j, run: run, explain: diagnose.NewExplainer(run, nil)}
}

// Replay sends one case with the values that a run with this seed sent, and returns what was sent,
// what came back and what failed. If nothing fails, or the target may only have met the values
// before, it sends the case with values that are fresh for this target.
func (p *Player) Replay(ctx context.Context, c *plan.Case) *report.Transcript {
	t := &report.Transcript{Case: c.ID, Reason: p.Learn(ctx)}
	if t.Reason != "" {
		return t
	}
	p.judge.Cover([]*plan.Case{c})
	if seen := p.play(ctx, c, p.seen(), nil, &report.Transcript{Case: c.ID}); len(seen.Failures) > 0 && !p.repeated {
		return p.compared(ctx, c, seen)
	}
	return p.compared(ctx, c, p.play(ctx, c, p.target.Identity(1+int(time.Now().UnixNano()/1000%8000)), nil, t))
}

// maxCompared is how many requests the refusal of a valid one is compared with at most.
const maxCompared = 24

// compared sends other cases about the same place and judges the failed case again, as a run does at its
// end: whether the refusal of a valid request is a failure may depend on what else is accepted.
func (p *Player) compared(ctx context.Context, c *plan.Case, t *report.Transcript) *report.Transcript {
	if len(t.Failures) == 0 || !slices.ContainsFunc(p.last.Failures, func(f judge.Failure) bool { return p.judge.Bound[f.At].Rule.Role.ValidRefused() }) {
		return t
	}
	cases := []*plan.Case{c}
	for _, one := range p.target.Plan.Cases {
		about := one.Class.Place.Path == c.Class.Place.Path || one.Class.Place.Path == ""
		if one != c && one.Op == c.Op && about && one.Class.Expected == message.Accept && one.Steps() == 1 && len(cases) <= maxCompared {
			cases = append(cases, one)
		}
	}
	p.judge.Cover(cases)
	run := execute.New(p.target, p.judge, p.run.Settings, cases, true)
	own := p.target.Client.Session()
	defer own.Close()
	for _, one := range cases[1:] {
		run.Replace(one, run.Try(ctx, one, p.target.Identity(p.target.RetryOf(one)), own, execute.Whole))
	}
	run.Replace(c, p.last)
	diagnose.Compare(ctx, run)
	if ctx.Err() == nil {
		t.Failures = p.failures(c, p.last)
	}
	return t
}

// seen is the identity of the last run: if its data is still there, this one counts it as an earlier
// run, and has other values.
func (p *Player) seen() plan.Identity {
	id := p.target.Identity(0)
	id.Generation, id.RunNumber = max(id.Generation-1, 0), max(id.RunNumber-1, 0)
	return id
}

// Learn runs the pre-flight. The reason says why the answers of the target would prove
// nothing: it cannot be reached, or it refuses the token. It is empty if they would. Any
// other refusal of a baseline request is a failure of its own.
func (p *Player) Learn(ctx context.Context) (reason string) {
	if p.target.Learn(ctx) {
		return ""
	}
	return strings.Join(p.target.Reasons, "; ")
}

// play sends the given steps, or those of the case if none are given.
func (p *Player) play(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, t *report.Transcript) *report.Transcript {
	own := p.target.Client.Session()
	defer own.Close()
	if steps == nil {
		steps = p.run.Build(c, id)
	}
	played, err := p.run.Play(ctx, c, id, steps, own, execute.Whole)
	if err != nil {
		if t.Reason == "" {
			t.Reason = execute.EndedReason
		}
		return t
	}
	for i := range played {
		for k := range played[i].Before {
			step := p.explain.Shown(&played[i].Before[k], c.ID)
			step.Case = "set-up"
			t.Steps = append(t.Steps, step)
		}
		t.Steps = append(t.Steps, p.explain.Shown(&played[i], c.ID))
	}
	p.last = p.run.RecordOf(c, id, played)
	p.repeated = slices.ContainsFunc(p.last.Failures, func(f judge.Failure) bool { return f.Steps[f.Step].Repeated })
	t.Failures = p.failures(c, p.last)
	return t
}

// failures shows the failures of a case.
func (p *Player) failures(c *plan.Case, r *judge.Record) (out []report.Result) {
	for _, f := range r.Failures {
		b := p.judge.Bound[f.At]
		out = append(out, report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String(),
			Verdict:  report.Fail,
			Failures: []report.Failure{{Case: c.ID, Class: c.Class.Slug, Expected: p.explain.Own(f.Outcome.Expected), Got: p.explain.Hide(f.Outcome.Got)}}})
	}
	return out
}

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
		if weigh(p.once(ctx, c, plan.Identity{}, steps), true) {
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
func (p *Player) once(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step) *judge.Record {
	own := p.target.Client.Session()
	defer own.Close()
	if steps == nil {
		steps = p.run.Build(c, id)
	}
	r, _ := p.run.Insist(ctx, c, id, steps, own, execute.Whole) // the caller knows why it ended
	return r
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
	role := p.judge.Bound[f.At].Rule.Role
	return role.ValidRefused() || role == requirement.RoleEcho || role == requirement.RoleBelonging
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

// maxConnections bounds those of a report.
const maxConnections = 64

// arranged finds the steps of an example that shows a cause. Its requests are those of the
// case, baseline requests, and those of other cases that the report names. Their order,
// their number, and what they are sent at the same time with is the cause.
func (p *Player) arranged(c *plan.Case, r Recorded, id plan.Identity, known []plan.Step, from [][]byte) ([]plan.Step, error) {
	var out []plan.Step
	for i, st := range r.Steps {
		candidates, words := known, from
		if other := p.target.Plan.Find(st.Case); other != nil && other.Op == c.Op && other.Class.Phase != plan.Scenarios {
			candidates = p.target.Plan.Build(other, id)
			words = sources(p.target.Plan, other, id, candidates)
		}
		best := &DiffersError{Request: i + 1, Ways: []string{"its connection has no valid number"}}
		if st.Connection < 1 || st.Connection > maxConnections {
			return nil, best
		}
		best = nil
		for _, step := range candidates {
			step.Parallel, step.Connection = st.Parallel, st.Connection-1
			got, ways := p.same(c, r, st, step, words)
			if len(ways) == 0 {
				out = append(out, got)
				break
			}
			if best == nil || len(ways) < len(best.Ways) {
				best = &DiffersError{Request: i + 1, Ways: ways}
			}
		}
		if len(out) == i {
			return nil, best
		}
	}
	return out, nil
}

// followed gives a message of the plan the page that a recorded request is about: an
// answer before it named that.
func followed(step plan.Step, m *message.Message, was headRead) {
	l := m.Op.Listing
	if _, follows := step.From.(plan.Follow); !follows || l == nil || l.Follows() == nil {
		return
	}
	by := l.Follows().Place()
	m.Remove(by)
	got := serialize.ReadParameters(m.Op.Path, m.Op.Parameters, serialize.Encoded{Path: was.path, Query: was.query})
	if v := got.Values.At("/" + by); v != nil {
		m.Set(by, v)
		if l.Follows() == l.Cursor {
			m.Given(by, v)
		}
	}
}
