package diagnose

import (
	"slices"
	"sort"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// group is the failures of one requirement in one way.
type group struct {
	at        int
	signature string
	cases     []*plan.Case // in plan order
	failures  map[*plan.Case]*judge.Failure
}

// groups collects failures by requirement and signature.
func (d *Diagnosis) groups() []*group {
	type key struct {
		at        int
		signature string
	}
	by := map[key]*group{}
	var list []*group
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
		for i := range r.Failures {
			f := &r.Failures[i]
			k := key{f.At, f.Outcome.Signature}
			g := by[k]
			if g == nil {
				g = &group{at: f.At, signature: f.Outcome.Signature, failures: map[*plan.Case]*judge.Failure{}}
				by[k] = g
				list = append(list, g)
			}
			switch old := g.failures[c]; {
			case old == nil:
				g.cases = append(g.cases, c)
				g.failures[c] = f
			case old.Beside && !f.Beside:
				g.failures[c] = f // that can be made smaller
			}
		}
	}
	return list
}

// simplest returns the case that shows a failure best: fewest steps until the
// failure, fewest defects, fewest steps of a replay, no large body, fewest
// differences from the baseline request, first in the plan, in which random values
// come last.
func (g *group) simplest() (*plan.Case, *judge.Failure) {
	var best *plan.Case
	for _, c := range g.cases {
		if best == nil || g.weight(c) < g.weight(best) {
			best = c
		}
	}
	return best, g.failures[best]
}

// weight is less for a case that shows a failure better.
func (g *group) weight(c *plan.Case) int {
	f := g.failures[c]
	last := f.Steps[len(f.Steps)-1]
	large := min(len(last.Step.Message.Body())/largeBody, 1)
	return len(f.Steps)*1e12 + f.Defects*1e9 + c.Steps()*1e6 + large*1e5 + judge.Unusual(last.Sent)
}

// sequences returns the part of a group that failed behind other requests of the same
// case, or nil.
func (g *group) sequences() *group {
	out := &group{at: g.at, signature: g.signature, failures: g.failures}
	for _, c := range g.cases {
		if len(g.failures[c].Steps) > 1 {
			out.cases = append(out.cases, c)
		}
	}
	if len(out.cases) == 0 {
		return nil
	}
	return out
}

// largeBody is the size, in bytes, of a body that is too long for a reader.
const largeBody = 1 << 10

// take adds the cases of another group that this one does not have.
func (g *group) take(other *group) {
	for _, c := range other.cases {
		if g.failures[c] == nil {
			g.cases = append(g.cases, c)
			g.failures[c] = other.failures[c]
		}
	}
}

// merged joins groups that are reported under the same requirement.
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

// few keeps the most common ways in which a requirement failed, and adds the others
// to the last of them: a target whose every answer is wrong in another way has one
// fault. The list is in the order of worstFirst.
func few(list []*group) []*group {
	ways := map[int][]*group{}
	var out []*group
	for _, g := range list {
		if known := ways[g.at]; len(known) == limits.WaysKept {
			known[limits.WaysKept-1].take(g)
			continue
		}
		ways[g.at] = append(ways[g.at], g)
		out = append(out, g)
	}
	return out
}

// worstFirst orders groups: MUST before SHOULD, more cases first.
func (d *Diagnosis) worstFirst(list []*group) []*group {
	sort.SliceStable(list, func(a, b int) bool {
		x, y := d.judge.Bound[list[a].at], d.judge.Bound[list[b].at]
		if x, y := slices.Index(report.Levels(), x.Level), slices.Index(report.Levels(), y.Level); x != y {
			return x < y
		}
		if x.Index != y.Index {
			return x.Index < y.Index
		}
		return len(list[a].cases) > len(list[b].cases)
	})
	return list
}
