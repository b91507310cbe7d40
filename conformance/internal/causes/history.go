package causes

import (
	"cmp"
	"slices"

	"plantstore/conformance/internal/plan"
)

// History is when, in the run, cases like the failing one failed and passed.
type History struct {
	Failed, Passed []When
}

// When is how many requests had been sent when a case ended, and how many of them the
// target had refused.
type When struct{ Sent, Refused int }

// History lists the cases of the run that the requirement was judged in and that are
// expected to be what the failing one is.
func (l *Lab) History() History { return l.HistoryOf(l.Case.Class.Expected) }

// HistoryOf is History of cases with another expectation.
func (l *Lab) HistoryOf(expected plan.ExpectedClass) History {
	var out History
	for _, c := range l.run.Cases {
		r := l.run.Record(c)
		if !l.judged(c, r) || c.Class.Expected != expected {
			continue
		}
		switch when := (When{r.Sent, r.Refused}); {
		case r.FailedAt(l.failure.At):
			out.Failed = append(out.Failed, when)
		case r.Passed.Has(l.failure.At):
			out.Passed = append(out.Passed, when)
		}
	}
	return out
}

// Sent is how many requests of the run had been sent when the last case was judged.
func (l *Lab) Sent() int {
	out := 0
	for _, c := range l.run.Cases {
		if r := l.run.Record(c); r != nil {
			out = max(out, r.Sent)
		}
	}
	return out
}

// First returns the earliest of a list.
func First(list []When) When {
	return slices.MinFunc(list, func(a, b When) int { return cmp.Compare(a.Sent, b.Sent) })
}

// Last returns the latest of a list.
func Last(list []When) When {
	return slices.MaxFunc(list, func(a, b When) int { return cmp.Compare(a.Sent, b.Sent) })
}
