package diagnose

import (
	"context"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/verdict"
)

// confirm tries the case again with fresh values and reports whether the failure is
// stable. A time-out has happened twice already. Untried says why there was no
// second try.
func (d *Diagnosis) confirm(ctx context.Context, c *plan.Case, g *group, f *verdict.Failure) (stable bool, untried string) {
	switch {
	case f.Outcome.Signature == "flaky":
		return false, ""
	case execute.Hung(f.Steps[len(f.Steps)-1].Exchange):
		return true, "" // where it happened, and alone
	case d.run.Lost():
		return false, execute.LostReason
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
