package diagnose

import (
	"context"
	"net/http"
	"slices"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// attribute settles failures of requests with several defects. If a requirement
// fails for one defect alone, it explains them. Otherwise they are shrunk to one
// defect and reported under its requirement.
func (d *Diagnosis) attribute(ctx context.Context, groups []*group) []*group {
	single := map[int]bool{}
	for _, g := range groups {
		if _, f := g.simplest(); f.Defects == 1 {
			single[g.at] = true
		}
	}
	var out []*group
	for _, g := range groups {
		d.chargeMember(ctx, g, single)
	}
	for _, g := range groups {
		c, f := g.simplest()
		bound := d.judge.Bound[g.at].Rule
		if f.Defects == 1 || bound.Rank != requirement.Class || bound.Role == requirement.RoleOpen || len(f.Steps) > 1 {
			out = append(out, g)
			continue
		}
		if d.explains(single, f) {
			if rest := d.releaseExplained(g, single); rest != nil {
				out = append(out, rest)
			}
			continue
		}
		if at := Settle(ctx, d.run, c, f); at != g.at && !d.open(at) {
			if single[at] {
				d.release(g)
				continue
			}
			for _, c := range g.cases {
				g.failures[c].At = at
			}
			g.at = at
			single[at] = true
		}
		out = append(out, g)
	}
	return merged(out)
}

// explains reports whether a requirement known to fail covers a request with
// several defects.
func (d *Diagnosis) explains(single map[int]bool, f *judge.Failure) bool {
	last := f.Steps[f.Step]
	for at := range d.judge.Bound {
		b := d.judge.Bound[at]
		if !single[at] || b.Rule.Rank != requirement.Class {
			continue
		}
		if op := last.Step.Message.Op; op != nil && b.Op == op.First() && !b.About(op) {
			continue // of another media type
		}
		if b.Rule.Role == requirement.RoleRefusal && last.Sent.Body.Violates(b.Args.Key) {
			return true
		}
		for _, path := range last.Sent.Body.Unusual {
			if b.Rule.Role == requirement.RoleAcceptance && (b.Args.Key.Path == path || b.Args.Key.Path == "" && last.Sent.Body.Respelled) {
				return true
			}
		}
	}
	return false
}

// releaseExplained releases a group except for its sequences that nothing explains,
// because a baseline request refused after others has another cause than a refused
// value. It returns these, or nil.
func (d *Diagnosis) releaseExplained(g *group, single map[int]bool) *group {
	rest := &group{at: g.at, signature: g.signature, failures: map[*plan.Case]*judge.Failure{}}
	gone := &group{at: g.at, signature: g.signature}
	for _, c := range g.cases {
		f := g.failures[c]
		if b := f.Steps[f.Step].Sent.Body; len(f.Steps) > 1 && b != nil && !d.explains(single, f) {
			rest.cases = append(rest.cases, c)
			rest.failures[c] = f
			continue
		}
		gone.cases = append(gone.cases, c)
	}
	d.release(gone)
	if len(rest.cases) == 0 {
		return nil
	}
	return rest
}

// release removes a group's failures from the records, because another requirement
// explains them.
func (d *Diagnosis) release(g *group) {
	for _, c := range g.cases {
		r := d.run.Record(c)
		kept := r.Failures[:0]
		for i := range r.Failures {
			if r.Failures[i].At != g.at || d.signature(c, &r.Failures[i]) != g.signature {
				kept = append(kept, r.Failures[i])
			} else {
				r.Suppressed.Add(g.at)
			}
		}
		r.Failures = kept
	}
}

// interferes reports whether another case may have caused the refusal of a valid request about
// something that exists, and the document lists its status for that: an employee cannot be removed
// while a payroll run is open, and another case may have removed the user whom the example names.
func (d *Diagnosis) interferes(c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	role := d.judge.Bound[f.At].Rule.Role
	if len(c.Op.Bind) == 0 || last.Answer == nil || role != requirement.RoleAcceptance && role != requirement.RoleCredentialAcceptance && role != requirement.RoleOpen {
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
// a documented status that tells of a state: they change resources, and alone the request is
// accepted so often that a target which refuses now and then would have been seen to.
func (d *Diagnosis) disturbed(ctx context.Context, c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	if last.Answer == nil || last.Repeated || d.judge.Bound[f.At].Rule.Role != requirement.RoleAcceptance {
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
	for o, r := range d.run.Records() {
		if o.Op != c.Op || o.Class.Expected != message.Accept || r.State != judge.Tried {
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
	for range min(max(3*tried/max(refused, 1), limits.SteadyMin), limits.SteadyMax) {
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

// chargeMember finds the part of a refused must-accept request that was refused:
// the part that the target accepts when a baseline value replaces it. If the target
// refuses even a baseline request, the failure is about the request as a whole.
func (d *Diagnosis) chargeMember(ctx context.Context, g *group, single map[int]bool) {
	b := d.judge.Bound[g.at]
	c, f := g.simplest()
	m := f.Steps[len(f.Steps)-1].Step.Message
	if b.Rule.Role != requirement.RoleAcceptance || len(f.Steps) > 1 || m.Raw != nil || m.Framing != message.Length || d.run.Lost() {
		return
	}
	path := ""
	if d.refused(ctx, c, d.fresh(c.Op)) {
		d.move(g, c.Op, path, single)
		return
	}
	if b.Args.Key.Path != "" {
		return
	}
	// If the usual spelling is accepted, the spelling was refused.
	if !d.spelledUsually(ctx, c, m) {
		return
	}
	for _, member := range c.Op.Members() {
		baseline := d.fresh(c.Op).At(member.Path)
		if baseline == nil || m.At(member.Path) == nil {
			continue
		}
		other := m.Clone()
		other.Set(member.Path, baseline)
		if !d.refused(ctx, c, other) {
			if path != "" {
				return // several parts matter
			}
			path = member.Path
		}
	}
	if path != "" {
		d.move(g, c.Op, path, single)
	}
}

// fresh returns a baseline request with values that no request has sent.
func (d *Diagnosis) fresh(op *openapi.Operation) *message.Message {
	return d.target.Baseline(d.target.Fresh(op))
}

// spelledUsually reports whether the body of a refused request is in the usual
// spelling, or refused in that too.
func (d *Diagnosis) spelledUsually(ctx context.Context, c *plan.Case, m *message.Message) bool {
	if m.Tree == nil || !c.Op.HasJSON() {
		return true
	}
	read, err := jsontree.Parse(m.Body())
	if err != nil {
		return false
	}
	plain := m.Clone()
	plain.Tree, plain.Style = read.Root, jsontree.Style{}
	return string(plain.Body()) == string(m.Body()) || d.refused(ctx, c, plain)
}

// refused sends the body and the parameters of a message and reports whether the
// answer accepts no valid request.
func (d *Diagnosis) refused(ctx context.Context, c *plan.Case, m *message.Message) bool {
	own := d.target.Client.Session()
	defer own.Close()
	plain := &message.Message{Op: c.Op, Tree: m.Tree, Style: m.Style, Params: m.Params, Bound: m.Bound, Unguessed: m.Unguessed}
	e := d.target.Send(ctx, own, plain, c.ID, "attribution")
	return e != nil && e.Failure == nil && !explore.Accepted(c.Op, e)
}

// move reports a group under the requirement about a path.
func (d *Diagnosis) move(g *group, op *openapi.Operation, path string, single map[int]bool) {
	for at, end := d.judge.Of(op); at < end; at++ {
		b := d.judge.Bound[at]
		if !b.About(op) || b.Rule.Role != requirement.RoleAcceptance || b.Args.Key.Path != path {
			continue
		}
		for _, f := range g.failures {
			f.At = at
			f.Defects = 1
		}
		g.at = at
		single[at] = true
	}
}
