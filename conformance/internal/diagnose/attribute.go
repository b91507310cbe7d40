package diagnose

import (
	"context"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
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
		if f.Defects == 1 || bound.Rank != rule.Class || len(f.Steps) > 1 {
			out = append(out, g)
			continue
		}
		if d.explains(single, f) {
			if rest := d.releaseExplained(g, single); rest != nil {
				out = append(out, rest)
			}
			continue
		}
		if at := Settle(ctx, d.run, c, f); at != g.at {
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
		if !single[at] || b.Rule.Rank != rule.Class {
			continue
		}
		if op := last.Step.Message.Op; op != nil && b.Op == op.First() && !b.About(op) {
			continue // of another media type
		}
		if b.Rule.Role == rule.RoleRefusal && last.Sent.Body.Violates(b.Args.Key) {
			return true
		}
		for _, path := range last.Sent.Body.Unusual {
			if b.Rule.Role == rule.RoleAcceptance && (b.Args.Key.Path == path || b.Args.Key.Path == "" && last.Sent.Body.Respelled) {
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
			if r.Failures[i].At != g.at || r.Failures[i].Outcome.Signature != g.signature {
				kept = append(kept, r.Failures[i])
			} else {
				r.Suppressed.Add(g.at)
			}
		}
		r.Failures = kept
	}
}
