package judge

import (
	"slices"
	"sort"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// group is the failures of one requirement in one way.
type group struct {
	at        int
	signature string
	cases     []*plan.Case // in plan order
	failures  map[*plan.Case]*failure
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

// simplest gives the case that shows a failure best: fewest steps up to it,
// fewest defects, fewest steps of a replay, no large body, fewest differences
// from the mild request, first in the plan, where drawn values come last.
func (g *group) simplest() (*plan.Case, *failure) {
	var best *plan.Case
	weight := func(c *plan.Case) int {
		f := g.failures[c]
		last := f.steps[len(f.steps)-1]
		large := min(len(last.step.Message.Body())/largeBody, 1)
		return len(f.steps)*1e12 + f.defects*1e9 + c.Steps()*1e6 + large*1e5 + unusual(last.sent)
	}
	for _, c := range g.cases {
		if best == nil || weight(c) < weight(best) {
			best = c
		}
	}
	return best, g.failures[best]
}

// largeBody is a body that nobody reads, in bytes.
const largeBody = 1 << 10

// take adds the cases of another group, but for those that it has.
func (g *group) take(other *group) {
	for _, c := range other.cases {
		if g.failures[c] == nil {
			g.cases = append(g.cases, c)
			g.failures[c] = other.failures[c]
		}
	}
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
