package diagnose

import (
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// tally counts the cases of one requirement.
type tally struct {
	planned, judged, failed, suppressed, untried int
	// suppressedBy is the requirement that suppressed it most often.
	suppressedBy string
	// untriedClass is a class of which nothing was judged, and why the reason.
	untriedClass, why string
	wrong             string
	ruled             bool // a rule that no schema states may be why a case was refused
	// unexamined is set if there was no time to find out which untried cases of its operation
	// can test it.
	unexamined bool
	// inapplicable is the first case that did not apply to this target, and unplayed the reason.
	inapplicable *plan.Case
	unplayed     string
}

// tally counts the cases of every requirement in Bound.
func (d *Diagnosis) tally() []tally {
	out := make([]tally, len(d.judge.Bound))
	classes := d.classTallies()
	suppressors := make([]map[string]int, len(d.judge.Bound))
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r != nil && r.State == judge.Inapplicable {
			d.judge.Covers(c).Each(func(at int) {
				if out[at].inapplicable == nil {
					out[at].inapplicable, out[at].unplayed = c, r.Why
				}
			})
			continue
		}
		k := classes[c.Class]
		set, known := d.concerned(c, r)
		for at, end := d.judge.Of(c.Op); !known && at < end && !out[at].unexamined; at++ {
			out[at].unexamined = true
		}
		set.Each(func(at int) {
			if c.Op.IsAdditional() && d.judge.Bound[at].Body == nil && (r == nil || r.State != judge.Tried) {
				return // the first media type shows it
			}
			d.count(&out[at], at, c, r, suppressors)
			if k.cases > 0 && k.judged == 0 && out[at].untriedClass == "" && !d.shownElsewhere(at, k.why) {
				out[at].untriedClass, out[at].why = c.Class.Slug, k.why
			}
		})
	}
	for at := range suppressors {
		out[at].suppressedBy = mostFrequent(suppressors[at])
	}
	d.suppressors = suppressors
	return out
}

// classTally counts the cases of one class.
type classTally struct {
	cases, judged int
	why           string // says why one was not judged
}

func (d *Diagnosis) classTallies() map[*plan.Class]*classTally {
	classes := map[*plan.Class]*classTally{}
	for _, c := range d.run.Cases {
		k := classes[c.Class]
		if k == nil {
			k = &classTally{}
			classes[c.Class] = k
		}
		r := d.run.Record(c)
		if r != nil && r.State == judge.Inapplicable {
			continue
		}
		k.cases++
		switch {
		case r == nil:
			k.why = d.run.Ended()
		case r.State == judge.Tried:
			k.judged++
		default:
			k.why = r.Why
		}
	}
	return classes
}

// concerned returns the requirements that a case counts for: those that it can test,
// and those that its answers passed or failed. Known is false if there was no time for the first.
func (d *Diagnosis) concerned(c *plan.Case, r *judge.Record) (set judge.Set, known bool) {
	set = d.judge.NewSet(c.Op)
	covered, known := d.judge.Examined(c)
	set.Union(covered)
	if r != nil {
		set.Union(r.Passed)
		for i := range r.Failures {
			set.Add(r.Failures[i].At)
		}
	}
	return set, known
}

// shownElsewhere reports whether a requirement does not depend on a class that
// could not be tried because its values are in use: accepted may-refuse values test
// what is expected of them, and nothing that other classes do not test.
func (d *Diagnosis) shownElsewhere(at int, why string) bool {
	b := d.judge.Bound[at]
	return (why == usedReason || why == countedReason || why == execute.ExhaustedReason) && (b.Rule.Rank != requirement.Class || b.Rule.Role == requirement.RoleOmission)
}

// mostFrequent returns the key with the largest count. Of several it returns the
// first in alphabetical order, and an empty string if there is none.
func mostFrequent(counts map[string]int) string {
	name, best := "", 0
	for id, n := range counts {
		if n > best || n == best && id < name {
			name, best = id, n
		}
	}
	return name
}

// sureWeight is how many may-refuse cases a case counts for if only one answer to
// its request is correct.
const sureWeight = 1000

// count adds one case to a tally.
func (d *Diagnosis) count(t *tally, at int, c *plan.Case, r *judge.Record, suppressors []map[string]int) {
	t.planned++
	if r == nil || r.State != judge.Tried {
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
	case r.Ruled.Has(at):
		t.ruled = true
	case r.Suppressed.Has(at):
		t.suppressed++
		weight := sureWeight
		if c.Class.Expected == message.Either {
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
