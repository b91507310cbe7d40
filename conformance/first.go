package conformance

import (
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// again counts the cases of the classes in which a requirement failed earlier, in the first
// phase that has any: what comes later would keep the user waiting.
type again struct {
	report.TriedFirst
	phase plan.Phase
	left  int // cases that were not tried yet
}

// tell lets the run tell what happens before all cases are done.
func (s *setup) tell(run *execute.Settings) {
	first, tried := s.first()
	failing := s.failing()
	run.First = first
	run.Kept = func(c *plan.Case, r *judge.Record) {
		if failing != nil {
			failing(c, r)
		}
		if tried != nil {
			tried(c, r)
		}
	}
}

// failing tells of the first failure of each requirement; nil if nobody asks.
func (s *setup) failing() func(*plan.Case, *judge.Record) {
	if s.config.Failing == nil {
		return nil
	}
	told := map[int]bool{}
	return func(c *plan.Case, r *judge.Record) {
		for _, f := range r.Failures {
			if !told[f.At] {
				told[f.At] = true
				s.config.Failing(s.unjudged(f.At), c.ID)
			}
		}
	}
}

// first says which cases come first, because their classes failed in an earlier run, and
// tells what became of these. Both functions are nil if there are none.
func (s *setup) first() (is func(*plan.Case) bool, tried func(*plan.Case, *judge.Record)) {
	of := map[string][]*again{} // by the slug of a class
	for _, x := range s.config.First {
		a := &again{TriedFirst: report.TriedFirst{Requirement: x.Requirement}}
		classes := map[string]bool{}
		for _, f := range x.Failures {
			classes[f.Class] = true
			for _, c := range f.Classes {
				classes[c.Class] = true
			}
		}
		for class := range classes {
			of[class] = append(of[class], a)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	for _, c := range s.cases {
		for _, a := range of[c.Class.Slug] {
			switch {
			case a.Cases == 0 || c.Class.Phase < a.phase:
				a.phase, a.Cases = c.Class.Phase, 1
			case c.Class.Phase == a.phase:
				a.Cases++
			}
			a.left = a.Cases
		}
	}
	is = func(c *plan.Case) bool { return len(of[c.Class.Slug]) > 0 }
	return is, func(c *plan.Case, r *judge.Record) {
		for _, a := range of[c.Class.Slug] {
			if c.Class.Phase != a.phase {
				continue
			}
			switch a.left--; {
			case r.State != judge.Tried:
				a.Unanswered++
			case s.failsStill(r, a.Requirement):
				a.Failed++
			}
			if a.left == 0 && s.config.FirstTried != nil {
				s.config.FirstTried(a.TriedFirst)
			}
		}
	}
}

// failsStill reports whether a case fails the requirement, or a MUST: which of them a
// failure is charged to is decided later.
func (s *setup) failsStill(r *judge.Record, id string) bool {
	for i := range r.Failures {
		if b := &s.judge.Bound[r.Failures[i].At]; b.ID == id || b.Level == report.Must {
			return true
		}
	}
	return false
}
