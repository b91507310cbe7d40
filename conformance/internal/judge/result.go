package judge

import (
	"fmt"
	"slices"
	"sort"

	"plantstore/conformance/report"
)

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

// result words the verdict on one requirement.
func (j *Judge) result(at int, t tally, failures []described) report.Result {
	b := j.bound[at]
	r := report.Result{Requirement: b.req.ID, Level: b.req.Level, Sentence: b.req.Sentence, Clause: b.req.Clause.String(),
		Cases: report.Cases{Planned: t.planned, Judged: t.judged, Failed: t.failed, Masked: t.masked, NotTried: t.untried}}
	switch {
	case len(failures) > 0:
		r.Verdict = report.Fail
		for _, d := range failures {
			r.Failures = append(r.Failures, d.Failure)
		}
	case j.unnamedAt(at, t) != "":
		r.Verdict, r.Reason = report.Inconclusive, j.unnamedAt(at, t)
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
			if k := c.Class.Tries(); !slices.Contains(kinds[f.out.Got], k) {
				kinds[f.out.Got] = append(kinds[f.out.Got], k)
			}
		}
	}
	for what, n := range counts {
		o.Seen = append(o.Seen, report.Seen{What: j.hide(what), Count: n, Kinds: kinds[what]})
	}
	sort.Slice(o.Seen, func(a, b int) bool {
		if o.Seen[a].Count != o.Seen[b].Count {
			return o.Seen[a].Count > o.Seen[b].Count
		}
		return o.Seen[a].What < o.Seen[b].What
	})
	return o
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
