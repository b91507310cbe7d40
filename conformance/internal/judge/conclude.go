package judge

import (
	"context"

	"plantstore/conformance/report"
)

// conclude turns records into results: excuses, groups, confirms, shrinks,
// counts.
func (j *Judge) conclude(ctx context.Context, out *Outcome) {
	j.excuse(ctx)
	j.strengthen(ctx)
	groups := j.groups()
	groups = j.attribute(ctx, groups)
	tally := j.tally()
	failures := map[int][]described{}
	for _, g := range few(j.worstFirst(groups)) {
		failures[g.at] = append(failures[g.at], j.describe(ctx, g))
	}
	j.folded(failures, tally)
	j.explained(failures, tally)
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
		out.Results = append(out.Results, j.result(at, tally[at], failures[at]))
	}
	out.number()
	out.incomplete(j)
}

// number counts the failures as a report tells them: those of a MUST first.
func (o *Outcome) number() {
	n := 0
	for _, level := range []report.Level{report.Must, report.Should, report.May} {
		for _, r := range o.Results {
			if r.Level != level {
				continue
			}
			for i := range r.Failures {
				n++
				r.Failures[i].N = n
			}
		}
	}
}
