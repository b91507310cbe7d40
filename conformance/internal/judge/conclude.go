package judge

import (
	"context"

	"plantstore/conformance/report"
)

// conclude turns records into results: excuses, groups, confirms, shrinks,
// counts.
func (j *Judge) conclude(ctx context.Context, out *Outcome) {
	j.excuse(ctx)
	j.strengthen()
	groups := j.groups()
	groups = j.attribute(ctx, groups)
	tally := j.tally()
	failures := map[int][]described{}
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
