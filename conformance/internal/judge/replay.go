package judge

import (
	"context"
	"strings"
	"time"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Replay plays one case with values that are fresh for this target, and gives
// what was sent, what came and what failed.
func (j *Judge) Replay(ctx context.Context, c *plan.Case) *report.Transcript {
	t := &report.Transcript{Case: c.ID}
	if j.Open(ctx); !j.settled {
		if t.Reason = strings.Join(j.out.Reasons, "; "); t.Reason != "" {
			return t // unreachable, or the credential is not accepted
		}
	}
	j.Cases = []*plan.Case{c}
	j.aim()
	own := j.Client.Session()
	defer own.Close()
	id := j.identity(1 + int(time.Now().UnixNano()/1000%8000))
	steps := j.Plan.Build(c, id)
	j.completeAll(c, id, steps)
	played, ok := j.play(ctx, c, id, steps, own, whole)
	if !ok {
		t.Reason = orElse(t.Reason, endedReason)
		return t
	}
	return j.transcribe(c, id, played, t)
}

// transcribe judges played steps into a transcript.
func (j *Judge) transcribe(c *plan.Case, id generate.Identity, list []played, t *report.Transcript) *report.Transcript {
	for i := range list {
		t.Steps = append(t.Steps, j.shown(&list[i], c.ID))
	}
	for _, f := range j.judge(c, id, list).failures {
		b := j.bound[f.at].req
		t.Failures = append(t.Failures, report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String(),
			Verdict:  report.Fail,
			Failures: []report.Failure{{Case: c.ID, Class: c.Class.Slug, Expected: j.own(f.out.Expected), Got: j.hide(f.out.Got)}}})
	}
	return t
}
