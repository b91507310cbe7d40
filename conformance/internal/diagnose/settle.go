package diagnose

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// settle holds each refusal of a valid request against all that the target accepted: where a like
// request was accepted, the values of this one are not the reason.
func (d *Diagnosis) settle() {
	d.judge.Taken.Settle()
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
		for i := range r.Failures {
			f := r.Failures[i]
			again, changed := d.judge.Again(c, &f)
			if !changed {
				continue
			}
			r.Failures = slices.DeleteFunc(r.Failures, func(old judge.Failure) bool { return old.Step == f.Step })
			for _, found := range again {
				f.Finding = found
				r.Failures = append(r.Failures, f)
			}
			r.Ruled.Union(f.Steps[f.Step].Checked.Ruled)
			break // the steps behind one that failed are not judged
		}
	}
}

// concerns returns the members that the failures of a requirement may be about, with the words of
// the target.
func (d *Diagnosis) concerns(at int) []report.Evidence {
	if d.judge.Bound[at].Rule.Role != rule.RoleOpen {
		return nil
	}
	var out []report.Evidence
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
		for i := range r.Failures {
			if f := &r.Failures[i]; f.At == at {
				out = d.concern(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b report.Evidence) int { return strings.Compare(a.Fact, b.Fact) })
	return out
}

// concern adds the members of one failure that are not there yet.
func (d *Diagnosis) concern(out []report.Evidence, f *judge.Failure) []report.Evidence {
	for path := range strings.SplitSeq(f.Outcome.Members, "\n") {
		about := "values of " + path + " are refused: "
		if !slices.ContainsFunc(out, func(e report.Evidence) bool { return strings.HasPrefix(e.Fact, about) }) {
			out = append(out, report.Evidence{Fact: about + d.judge.Redactor.Text(f.Outcome.Got)})
		}
	}
	return out
}
