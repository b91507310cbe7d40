package judge

import (
	"context"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// attribute settles failures of requests that break several things at once: a
// requirement that fails with one defect explains them; else they are shrunk to
// one and take its requirement.
func (j *Judge) attribute(ctx context.Context, groups []*group) []*group {
	single := map[int]bool{}
	for _, g := range groups {
		if _, f := g.simplest(); f.defects == 1 {
			single[g.at] = true
		}
	}
	var out []*group
	for _, g := range groups {
		j.blame(ctx, g, single)
	}
	for _, g := range groups {
		c, f := g.simplest()
		bound := j.bound[g.at].rule
		if f.defects == 1 || bound.Rank != rule.Class || len(f.steps) > 1 {
			out = append(out, g)
			continue
		}
		if j.explains(single, f) {
			if rest := j.releaseExplained(g, single); rest != nil {
				out = append(out, rest)
			}
			continue
		}
		if at, ok := j.settle(ctx, c, f); ok && at != g.at {
			if single[at] {
				j.release(g)
				continue
			}
			for _, c := range g.cases {
				g.failures[c].at = at
			}
			g.at = at
			single[at] = true
		}
		out = append(out, g)
	}
	return merged(out)
}

// explains tells whether a requirement known to fail covers a request with
// several defects.
func (j *Judge) explains(single map[int]bool, f *failure) bool {
	last := f.steps[f.step]
	for at := range j.bound {
		b := j.bound[at]
		if !single[at] || b.rule.Rank != rule.Class {
			continue
		}
		if b.rule.Role == rule.RoleRefusal && last.sent.Body.Violates(b.req.Args.Key) {
			return true
		}
		for _, path := range last.sent.Body.Unmild {
			if b.rule.Role == rule.RoleAcceptance && (b.req.Args.Key.Path == path || b.req.Args.Key.Path == "" && last.sent.Body.Respelled) {
				return true
			}
		}
	}
	return false
}

// releaseExplained releases a group but for its sequences that nothing explains: a
// mild request that is refused behind others is another matter than a refused
// value. It gives these, or nil.
func (j *Judge) releaseExplained(g *group, single map[int]bool) *group {
	rest := &group{at: g.at, signature: g.signature, failures: map[*plan.Case]*failure{}}
	gone := &group{at: g.at, signature: g.signature}
	for _, c := range g.cases {
		f := g.failures[c]
		if b := f.steps[f.step].sent.Body; len(f.steps) > 1 && b != nil && !j.explains(single, f) {
			rest.cases = append(rest.cases, c)
			rest.failures[c] = f
			continue
		}
		gone.cases = append(gone.cases, c)
	}
	j.release(gone)
	if len(rest.cases) == 0 {
		return nil
	}
	return rest
}

// release takes a group's failures out of the records: another requirement
// explains them.
func (j *Judge) release(g *group) {
	for _, c := range g.cases {
		r := j.records[c]
		kept := r.failures[:0]
		for i := range r.failures {
			if r.failures[i].at != g.at || r.failures[i].out.Signature != g.signature {
				kept = append(kept, r.failures[i])
			} else {
				r.masked.set(g.at)
			}
		}
		r.failures = kept
	}
}
