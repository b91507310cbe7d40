package diagnose

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/rule"
)

// suppressMixed suppresses what failed beside other requests and not alone, if answers
// are given to the wrong request: then the answer that failed was for another one too.
// So are refusals of the right credential if a race decides about wrong ones.
// What came again, and what needs something that is known, is a fault of its own.
func (d *Diagnosis) suppressMixed(found []Finding) []Finding {
	for _, by := range slices.Clone(found) {
		b := &d.judge.Bound[by.At]
		var explains func(f *Finding) bool
		switch b.Rule.Role {
		case rule.RoleBelonging:
			explains = func(f *Finding) bool { return d.judge.Bound[f.At].Rule.Rank > rule.Framing }
		case rule.RoleCredentialRefusal:
			explains = unauthorized // the decision about a credential reaches other requests
		default:
			continue
		}
		if !d.atTimes(&by) {
			continue
		}
		for at, end := d.judge.Of(b.Op); at < end; at++ {
			if at == by.At || !fails(found, at) || !fails(found, by.At) {
				continue
			}
			settled := slices.ContainsFunc(found, func(f Finding) bool {
				return f.At == at && (f.Stable || f.NotTriedAgain != "" || f.Cause != nil && !race(f.Cause) || !d.beside(&f) || !explains(&f))
			})
			if !settled {
				found = d.suppress(found, at, b.ID)
			}
		}
	}
	return found
}

// unauthorized reports whether each answer that failed says that the credential is wrong.
func unauthorized(f *Finding) bool {
	for _, failure := range f.group.failures {
		if got := failure.Steps[failure.Step].Answer; got == nil || got.Status != http.StatusUnauthorized {
			return false
		}
	}
	return len(f.group.failures) > 0
}

// atTimes reports whether a failure needs other requests at the same time, as far as is
// known: tried alone it passed, or its example or its cause has several at once.
func (d *Diagnosis) atTimes(f *Finding) bool {
	switch {
	case f.Cause != nil:
		return race(f.Cause)
	case f.Stable:
		steps := f.Failure.Steps
		return steps[len(steps)-1].Step.Parallel
	}
	return f.NotTriedAgain == "" && d.beside(f)
}

// beside reports whether each failure came while another request could be under way:
// one of its own case, or of another worker.
func (d *Diagnosis) beside(f *Finding) bool {
	if d.run.Workers > 1 && d.target.Facts.Connections > 1 {
		return true
	}
	for _, c := range f.group.cases {
		failure := f.group.failures[c]
		if !failure.Steps[failure.Step].Step.Parallel {
			return false
		}
	}
	return len(f.group.cases) > 0
}

// race reports whether a cause says no more than that a failure comes beside others, or at
// times.
func race(c *causes.Cause) bool { return c.Name == "in-flight" || c.Name == "now-and-then" }
