package diagnose

import (
	"context"
	"net/http"
	"slices"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/internal/limits"
)

// interferes reports whether another case may have caused the refusal of a valid request about
// something that exists, and the document lists its status for that: an employee cannot be removed
// while a payroll run is open, and another case may have removed the user whom the example names.
func (d *Diagnosis) interferes(c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	role := d.judge.Bound[f.At].Rule.Role
	if len(c.Op.Bind) == 0 || last.Answer == nil || role != rule.RoleAcceptance && role != rule.RoleCredentialAcceptance && role != rule.RoleOpen {
		return false
	}
	status := last.Answer.Status
	return c.Op.Conflict(status) || c.Op.Lists(status) != nil &&
		(status == http.StatusPreconditionFailed || (status == http.StatusNotFound || status == http.StatusGone) && d.target.NamesExample(c.Op))
}

// refusal is a way in which an operation refuses.
type refusal struct {
	op     *openapi.Operation
	status int
}

// disturbed reports whether other operations may have caused the refusal of a valid request with
// a documented status that tells of a state: they change things, and alone the request is
// accepted so often that a target which refuses now and then would have been seen to.
func (d *Diagnosis) disturbed(ctx context.Context, c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	if last.Answer == nil || last.Repeated || d.judge.Bound[f.At].Rule.Role != rule.RoleAcceptance {
		return false
	}
	key := refusal{c.Op, last.Answer.Status}
	switch key.status {
	case http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusLocked:
	default:
		return false
	}
	if c.Op.Lists(key.status) == nil || !slices.ContainsFunc(d.run.Cases, func(o *plan.Case) bool { return o.Op.First() != c.Op.First() && d.changes(o.Op) }) {
		return false
	}
	steady, known := d.steady[key]
	if !known {
		steady = d.steadyAlone(ctx, c, key)
		d.steady[key] = steady
	}
	return steady
}

// changes reports whether an operation may change or delete what others are about.
func (d *Diagnosis) changes(op *openapi.Operation) bool {
	switch op.Method {
	case http.MethodDelete, http.MethodPut, http.MethodPatch:
		return true
	case http.MethodPost:
		return !d.target.Reach.Gives(op)
	}
	return false
}

// steadyAlone reports whether a case is accepted again and again beside nothing else: three times
// as often as it would take to see a refusal that comes as often as it did in the run.
func (d *Diagnosis) steadyAlone(ctx context.Context, c *plan.Case, key refusal) bool {
	tried, refused := 0, 0
	for _, o := range d.run.Cases {
		r := d.run.Record(o)
		if o.Op != c.Op || o.Class.Expected != plan.ExpectMustAccept || r == nil || r.State != judge.Tried {
			continue
		}
		tried++
		if slices.ContainsFunc(r.Failures, func(f judge.Failure) bool {
			a := f.Steps[f.Step].Answer
			return a != nil && a.Status == key.status
		}) {
			refused++
		}
	}
	own := d.target.Client.Session()
	defer own.Close()
	for range min(max(3*tried/max(refused, 1), limits.SteadyLeast), limits.SteadyMost) {
		if r := d.run.Try(ctx, c, d.target.Identity(d.target.RetryOf(c)), own, execute.Whole); r.State != judge.Tried || len(r.Failures) > 0 {
			return false
		}
	}
	return true
}

// vainTries is how many cases of an operation are tried alone without one that passes.
const vainTries = 3

// tryAlone tries a case again beside nothing else. If it passes, that counts.
func (d *Diagnosis) tryAlone(ctx context.Context, c *plan.Case, r *judge.Record) {
	if d.vain[c.Op] >= vainTries {
		return
	}
	for range limits.RecheckTries {
		own := d.target.Client.Session()
		again := d.run.Try(ctx, c, d.target.Identity(d.target.RetryOf(c)), own, execute.Whole)
		own.Close()
		if again.State == judge.Tried && len(again.Failures) == 0 && again.Passed.Has(r.Failures[0].At) {
			d.run.Replace(c, again)
			return
		}
	}
	d.vain[c.Op]++
}
