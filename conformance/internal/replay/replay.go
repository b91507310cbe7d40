// Package replay sends single cases again: one of the plan, with fresh values, or
// the requests that a report recorded.
package replay

import (
	"context"
	"strings"
	"time"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Player sends single cases again.
type Player struct {
	target  *explore.Target
	judge   *judge.Judge
	run     *execute.Run
	explain *diagnose.Explainer
}

// New returns a player that sends to a target, which may take some time to show what it
// accepted.
func New(t *explore.Target, j *judge.Judge, settle time.Duration) *Player {
	run := execute.New(t, j, execute.Settings{Workers: 1, Settle: settle}, nil, false)
	return &Player{target: t, judge: j, run: run, explain: diagnose.NewExplainer(run, nil)}
}

// Replay sends one case with values that are fresh for this target, and returns
// what was sent, what came back and what failed.
func (p *Player) Replay(ctx context.Context, c *plan.Case) *report.Transcript {
	t := &report.Transcript{Case: c.ID, Reason: p.Learn(ctx)}
	if t.Reason != "" {
		return t
	}
	p.judge.Cover([]*plan.Case{c})
	return p.play(ctx, c, p.target.Identity(1+int(time.Now().UnixNano()/1000%8000)), nil, t)
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
func (p *Player) play(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, t *report.Transcript) *report.Transcript {
	own := p.target.Client.Session()
	defer own.Close()
	if steps == nil {
		steps = p.target.Plan.Build(c, id)
		p.run.CompleteAll(c, id, steps)
	}
	played, err := p.run.Play(ctx, c, id, steps, own, execute.Whole)
	if err != nil {
		if t.Reason == "" {
			t.Reason = execute.EndedReason
		}
		return t
	}
	for i := range played {
		t.Steps = append(t.Steps, p.explain.Shown(&played[i], c.ID))
	}
	for _, f := range p.run.RecordOf(c, id, played).Failures {
		b := p.judge.Bound[f.At]
		t.Failures = append(t.Failures, report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String(),
			Verdict:  report.Fail,
			Failures: []report.Failure{{Case: c.ID, Class: c.Class.Slug, Expected: p.explain.Own(f.Outcome.Expected), Got: p.explain.Hide(f.Outcome.Got)}}})
	}
	return t
}
