package diagnose

import (
	"context"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// CleanedUp adds to the findings the failures of requests that deleted what the run made, of
// requirements that have not failed yet. They come too late to be tried again.
func (d *Diagnosis) CleanedUp(ctx context.Context, found []Finding) []Finding {
	for _, c := range d.run.JudgeBroken(ctx) {
		for i := range d.run.Record(c).Failures {
			f := &d.run.Record(c).Failures[i]
			if !f.Beside || fails(found, f.At) {
				continue
			}
			g := &group{at: f.At, signature: f.Outcome.Signature, cases: []*plan.Case{c}, failures: map[*plan.Case]*judge.Failure{c: f}}
			d.tallies[f.At].judged++
			d.tallies[f.At].failed++
			found = append(found, Finding{At: f.At, Case: c, Failure: f, NotTriedAgain: "it happened while the run deleted what it had made", group: g})
		}
	}
	return found
}

// confirm tries the case again with fresh values and reports whether the failure is
// stable. A time-out has happened twice already. Untried says why there was no
// second try.
func (d *Diagnosis) confirm(ctx context.Context, c *plan.Case, g *group, f *judge.Failure) (stable bool, untried string) {
	switch {
	case f.Outcome.Signature == "flaky":
		return false, ""
	case execute.Hung(f.Steps[len(f.Steps)-1].Exchange):
		return true, "" // where it happened, and alone
	case d.run.Lost():
		return false, execute.LostReason
	}
	if f.Beside {
		again, sent := d.run.SendAgain(ctx, c, f)
		if !sent {
			return false, execute.EndedReason
		}
		return again, ""
	}
	own := d.target.Client.Session()
	defer own.Close()
	id := f.Identity
	id.Retry = d.target.RetryOf(c)
	steps := d.target.Plan.Build(c, id)
	d.run.CompleteAll(c, id, steps)
	r := d.run.Insist(ctx, c, id, steps, own, execute.Whole)
	switch {
	case r == nil && ctx.Err() != nil:
		return false, execute.EndedReason
	case r == nil:
		return false, execute.ImpatientReason
	}
	for i := range r.Failures {
		if r.Failures[i].At == g.at || d.judge.Bound[r.Failures[i].At].Rule == d.judge.Bound[g.at].Rule {
			return true, ""
		}
	}
	for i := range r.Provisional {
		if r.Provisional[i].At == g.at {
			return true, ""
		}
	}
	return false, ""
}
