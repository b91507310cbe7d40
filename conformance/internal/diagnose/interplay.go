package diagnose

import (
	"context"
	"net/http"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
)

// interferes reports whether another case may have caused the refusal of a valid request about
// something that exists, and the document lists its status for that: an employee cannot be removed
// while a payroll run is open, and another case may have removed the user whom the example names.
func (d *Diagnosis) interferes(c *plan.Case, f *verdict.Failure) bool {
	last := &f.Steps[f.Step]
	role := d.judge.Bound[f.At].Rule.Role
	if len(c.Op.Bind) == 0 || last.Answer == nil || role != rule.RoleAcceptance && role != rule.RoleCredentialAcceptance && role != rule.RoleOpen {
		return false
	}
	status := last.Answer.Status
	return c.Op.Conflict(status) || c.Op.Lists(status) != nil &&
		(status == http.StatusPreconditionFailed || (status == http.StatusNotFound || status == http.StatusGone) && d.target.NamesExample(c.Op))
}

// vainTries is how many cases of an operation are tried alone without one that passes.
const vainTries = 3

// tryAlone tries a case again beside nothing else. If it passes, that counts.
func (d *Diagnosis) tryAlone(ctx context.Context, c *plan.Case, r *verdict.Record) {
	if d.vain[c.Op] >= vainTries {
		return
	}
	for range limits.RecheckTries {
		own := d.target.Client.Session()
		again := d.run.Try(ctx, c, d.target.Identity(d.target.RetryOf(c)), own, execute.Whole)
		own.Close()
		if again.State == verdict.Tried && len(again.Failures) == 0 && again.Passed.Has(r.Failures[0].At) {
			d.run.Replace(c, again)
			return
		}
	}
	d.vain[c.Op]++
}
