package judge

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// group is the failures of one requirement in one way.
type group struct {
	at        int
	signature string
	cases     []*plan.Case // in plan order
	failures  map[*plan.Case]*failure
}

// conclude turns records into results: excuses, groups, confirms, shrinks,
// counts.
func (j *Judge) conclude(ctx context.Context, out *Outcome) {
	j.excuse(ctx)
	j.strengthen()
	groups := j.groups()
	groups = j.attribute(ctx, groups)
	tally := j.tally()
	failures := map[int][]report.Failure{}
	for _, g := range few(j.worstFirst(groups)) {
		failures[g.at] = append(failures[g.at], j.describe(ctx, g))
	}
	j.folded(failures, tally)
	j.explained(failures, tally)
	n := 0
	byIndex := make([]int, len(j.bound))
	for i := range j.bound {
		byIndex[j.bound[i].index] = i
	}
	for _, at := range byIndex {
		b := j.bound[at]
		if j.Selected != nil && !j.Selected(b.req.ID) {
			continue
		}
		if b.req.Level == report.Open {
			out.Observed = append(out.Observed, j.observed(at))
			continue
		}
		r := j.result(at, tally[at], failures[at])
		for i := range r.Failures {
			n++
			r.Failures[i].N = n
		}
		out.Results = append(out.Results, r)
	}
	out.incomplete(j)
}

// incomplete words why a run says less than it should: one sentence a reason.
func (o *Outcome) incomplete(j *Judge) {
	ids := map[string][]string{}
	var order []string
	for _, r := range o.Results {
		if r.Level != report.Must || r.Verdict != report.Inconclusive && r.Verdict != report.Error {
			continue
		}
		if ids[r.Reason] == nil {
			order = append(order, r.Reason)
		}
		ids[r.Reason] = append(ids[r.Reason], r.Requirement)
	}
	for _, reason := range order {
		switch list := ids[reason]; {
		case len(list) == 1:
			o.because(list[0] + " is inconclusive: " + reason)
		default:
			o.because(fmt.Sprintf("%d MUST requirements are inconclusive: %s", len(list), reason))
		}
	}
	for _, c := range j.Cases {
		if r := j.records[c]; r != nil && r.wrong != "" {
			o.because("an error of this suite: " + r.wrong)
			break
		}
	}
}

// groups collects failures by requirement and signature.
func (j *Judge) groups() []*group {
	type key struct {
		at        int
		signature string
	}
	by := map[key]*group{}
	var list []*group
	for _, c := range j.Cases {
		r := j.records[c]
		if r == nil {
			continue
		}
		for i := range r.failures {
			f := &r.failures[i]
			k := key{f.at, f.out.Signature}
			g := by[k]
			if g == nil {
				g = &group{at: f.at, signature: f.out.Signature, failures: map[*plan.Case]*failure{}}
				by[k] = g
				list = append(list, g)
			}
			if g.failures[c] == nil {
				g.cases = append(g.cases, c)
				g.failures[c] = f
			}
		}
	}
	return list
}

// simplest gives the case that shows a failure best: fewest steps, fewest
// defects, smallest body, first in the plan.
func (g *group) simplest() (*plan.Case, *failure) {
	var best *plan.Case
	weight := func(c *plan.Case) int {
		f := g.failures[c]
		last := f.steps[len(f.steps)-1]
		return len(f.steps)*1e9 + f.defects*1e6 + len(last.step.Message.Body())
	}
	for _, c := range g.cases {
		if best == nil || weight(c) < weight(best) {
			best = c
		}
	}
	return best, g.failures[best]
}

// take adds the cases of another group, but for those that it has.
func (g *group) take(other *group) {
	for _, c := range other.cases {
		if g.failures[c] == nil {
			g.cases = append(g.cases, c)
			g.failures[c] = other.failures[c]
		}
	}
}

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
		rule := j.bound[g.at].rule
		if f.defects == 1 || rule.Rank != requirement.Class || len(f.steps) > 1 {
			out = append(out, g)
			continue
		}
		if j.explains(single, f) {
			j.release(g)
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

// merged joins groups that were charged to the same requirement.
func merged(list []*group) []*group {
	var out []*group
	for _, g := range list {
		i := slices.IndexFunc(out, func(o *group) bool { return o.at == g.at && o.signature == g.signature })
		if i < 0 {
			out = append(out, g)
			continue
		}
		out[i].take(g)
	}
	return out
}

// explains tells whether a requirement known to fail covers a request with
// several defects.
func (j *Judge) explains(single map[int]bool, f *failure) bool {
	last := f.steps[f.step]
	for at := range j.bound {
		b := j.bound[at]
		if !single[at] || b.rule.Rank != requirement.Class {
			continue
		}
		if last.sent.Body.Violates(b.req.Args.Key) {
			return true
		}
		for _, path := range last.sent.Body.Unmild {
			if b.rule.Name == "accepted" && (b.req.Args.Key.Path == path || b.req.Args.Key.Path == "" && last.sent.Body.Respelled) {
				return true
			}
		}
	}
	return false
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

// worstFirst orders groups: MUST before SHOULD, more cases first.
func (j *Judge) worstFirst(list []*group) []*group {
	sort.SliceStable(list, func(a, b int) bool {
		x, y := j.bound[list[a].at], j.bound[list[b].at]
		if (x.req.Level == report.Must) != (y.req.Level == report.Must) {
			return x.req.Level == report.Must
		}
		if x.index != y.index {
			return x.index < y.index
		}
		return len(list[a].cases) > len(list[b].cases)
	})
	return list
}

// explained masks credential rows where even an absent credential always
// passes: nobody looks at credentials, which is one fault.
func (j *Judge) explained(failures map[int][]report.Failure, t []tally) {
	for at := range j.bound {
		b := j.bound[at]
		if b.rule.Name != "refuses-credential" || b.req.Args.Kind != "absent" || len(failures[at]) == 0 || t[at].failed < t[at].judged {
			continue
		}
		for other := range j.bound {
			o := j.bound[other]
			if o.req.Op == b.req.Op && o.rule.Name == "refuses-credential" && other != at {
				delete(failures, other)
				t[other].masks = b.req.ID
				t[other].judged = 0
			}
			if o.req.Op == b.req.Op && o.rule.Name == "credential-refusal" {
				delete(failures, other)
				t[other].masks = b.req.ID
				t[other].judged = 0
			}
		}
	}
}

// few keeps the ways in which most cases of a requirement failed, and adds what
// is beyond to the last of them: a target whose every answer is wrong in a way
// of its own has one fault. The list is in the order of worstFirst.
func few(list []*group) []*group {
	ways := map[int][]*group{}
	var out []*group
	for _, g := range list {
		if known := ways[g.at]; len(known) == waysKept {
			known[waysKept-1].take(g)
			continue
		}
		ways[g.at] = append(ways[g.at], g)
		out = append(out, g)
	}
	return out
}

func (j *Judge) observed(at int) report.Observe {
	b := j.bound[at]
	o := report.Observe{Requirement: b.req.ID, Sentence: b.req.Sentence, Clause: b.req.Clause.String()}
	counts := map[string]int{}
	kinds := map[string][]string{}
	for _, c := range j.Cases {
		r := j.records[c]
		if r == nil {
			continue
		}
		for _, f := range r.observed {
			if f.at != at {
				continue
			}
			counts[f.out.Got]++
			if k := kindOf(c); !slices.Contains(kinds[f.out.Got], k) {
				kinds[f.out.Got] = append(kinds[f.out.Got], k)
			}
		}
	}
	for what, n := range counts {
		o.Seen = append(o.Seen, report.Seen{What: j.redactText(what), Count: n, Kinds: kinds[what]})
	}
	sort.Slice(o.Seen, func(a, b int) bool {
		if o.Seen[a].Count != o.Seen[b].Count {
			return o.Seen[a].Count > o.Seen[b].Count
		}
		return o.Seen[a].What < o.Seen[b].What
	})
	return o
}

// kindOf is the class without operation and family: what was tried where.
func kindOf(c *plan.Case) string {
	parts := strings.SplitN(c.Class.Slug, "/", 3)
	return parts[len(parts)-1]
}

// result words the verdict on one requirement.
func (j *Judge) result(at int, t tally, failures []report.Failure) report.Result {
	b := j.bound[at]
	r := report.Result{Requirement: b.req.ID, Level: b.req.Level, Sentence: b.req.Sentence, Clause: b.req.Clause.String(),
		Cases: report.Cases{Planned: t.planned, Judged: t.judged, Failed: t.failed, Masked: t.masked, NotTried: t.untried}}
	switch {
	case len(failures) > 0:
		r.Verdict, r.Failures = report.Fail, failures
	case t.judged == 0 && t.wrong != "":
		r.Verdict, r.Reason = report.Error, t.wrong
	case t.planned == 0 && j.Plan.Thinned(b.req.Op):
		r.Verdict, r.Reason = report.Inconclusive, "the document is too large for one run: no case of this plan tries it"
	case t.planned == 0:
		r.Verdict, r.Reason = report.Inapplicable, "no case of this plan tries it"
	case t.judged == 0 && t.masks != "":
		r.Verdict, r.Reason = report.Inconclusive, "masked by "+t.masks
	case t.judged == 0 && t.untried > 0:
		r.Verdict, r.Reason = report.Inconclusive, orElse(t.why, "nothing could be tried")
	case t.judged == 0 && b.req.Level != report.Must:
		r.Verdict, r.Reason = report.Inapplicable, "no exchange showed it"
	case t.judged == 0:
		r.Verdict, r.Reason = report.Inconclusive, "no exchange could be judged"
	case t.hollow != "":
		r.Verdict, r.Reason = report.Inconclusive, fmt.Sprintf("nothing of %s could be tried: %s", t.hollow, t.why)
	default:
		r.Verdict = report.Pass
		if t.untried > 0 {
			r.Reason = fmt.Sprintf("%d of %d not tried: %s", t.untried, t.planned, t.why)
		}
	}
	return r
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
