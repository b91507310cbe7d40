package diagnose

import (
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
)

// tally counts the cases of one requirement.
type tally struct {
	planned, judged, failed, suppressed, untried int
	// suppressedBy is the requirement that suppressed it most often.
	suppressedBy string
	// untriedClass is a class of which nothing was judged, and why the reason.
	untriedClass, why string
	wrong             string
}

// tally counts the cases of every requirement in Bound.
func (d *Diagnosis) tally() []tally {
	out := make([]tally, len(d.judge.Bound))
	type class struct {
		cases, judged int
		why           string
	}
	classes := map[*plan.Class]*class{}
	for _, c := range d.run.Cases {
		k := classes[c.Class]
		if k == nil {
			k = &class{}
			classes[c.Class] = k
		}
		r := d.run.Record(c)
		if r != nil && r.State == verdict.Inapplicable {
			continue
		}
		k.cases++
		switch {
		case r == nil:
			k.why = d.run.Ended()
		case r.State == verdict.Tried:
			k.judged++
		default:
			k.why = r.Why
		}
	}
	suppressors := make([]map[string]int, len(d.judge.Bound))
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r != nil && r.State == verdict.Inapplicable {
			continue
		}
		for at, end := d.judge.Of(c.Op); at < end; at++ {
			if !d.judge.Covers(c).Has(at) && !(r != nil && (r.FailedAt(at) || r.Passed.Has(at))) {
				continue
			}
			d.count(&out[at], at, c, r, suppressors)
			// Accepted may-refuse values test what is expected of them, and nothing
			// that other classes do not test.
			why := classes[c.Class].why
			taken := (why == usedReason || why == countedReason) && (d.judge.Bound[at].Rule.Rank != rule.Class || d.judge.Bound[at].Rule.Role == rule.RoleOmission)
			if k := classes[c.Class]; k.cases > 0 && k.judged == 0 && out[at].untriedClass == "" && !taken {
				out[at].untriedClass, out[at].why = c.Class.Slug, k.why
			}
		}
	}
	for at := range suppressors {
		best := 0
		for id, n := range suppressors[at] {
			if n > best || n == best && id < out[at].suppressedBy {
				best, out[at].suppressedBy = n, id
			}
		}
	}
	return out
}

// sureWeight is how many may-refuse cases a case counts for if only one answer to
// its request is correct.
const sureWeight = 1000

// count adds one case to a tally.
func (d *Diagnosis) count(t *tally, at int, c *plan.Case, r *verdict.Record, suppressors []map[string]int) {
	t.planned++
	if r == nil || r.State != verdict.Tried {
		t.untried++
		if t.why == "" && r != nil {
			t.why = r.Why
		}
		if t.why == "" {
			t.why = d.run.Ended()
		}
		return
	}
	if r.OwnFault != "" {
		t.wrong = r.OwnFault
	}
	failed := false
	for i := range r.Failures {
		failed = failed || r.Failures[i].At == at
	}
	provisional := false
	for i := range r.Provisional {
		provisional = provisional || r.Provisional[i].At == at
	}
	switch {
	case failed:
		t.judged++
		t.failed++
	case r.Passed.Has(at):
		t.judged++
	case provisional:
		t.judged++
	case r.Suppressed.Has(at):
		t.suppressed++
		weight := sureWeight
		if c.Class.Expected == plan.ExpectMayRefuse {
			weight = 1 // it may have tried something else than this requirement
		}
		if suppressors[at] == nil {
			suppressors[at] = map[string]int{}
		}
		for i := range r.Failures {
			suppressors[at][d.judge.Bound[r.Failures[i].At].ID] += weight
		}
		if r.SuppressedBy != "" {
			suppressors[at][r.SuppressedBy] += weight
		}
	}
}
