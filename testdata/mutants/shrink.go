package main

func shrinkMutants() []mutant {
	return []mutant{
		{
			Name: "shrink-changes-the-kind", File: "shrink.go",
			Old: `	return a.Body.Kind == b.Body.Kind`, New: `	return true`,
			Why: "a report shows a valid body for a failure of an invalid one",
		},
		{
			Name: "shrink-changes-what-is-owed", File: "shrink.go",
			Old: `a.Expectation() != b.Expectation() || a.Credential`, New: `a.Credential`,
			Why: "a report shows a request that may be refused for one that must be taken",
		},
		{
			Name: "shrink-without-budget", File: "shrink.go",
			Old: `	s.left--
`, New: ``,
			Why: "one failure is shrunk for thousands of requests",
		},
		{
			Name: "shrink-budget-untold", File: "shrink.go",
			Old: `		if s.spent() {
			s.filled = true
			return false
		}
		if s.once`, New: `		if s.spent() {
			return false
		}
		if s.once`,
			Why: "an example is called minimal that is not",
		},
		{
			Name: "shrink-takes-another-requirement", File: "shrink.go",
			Old: `same := f.At == s.Best.At && f.Outcome.Signature`, New: `same := f.Outcome.Signature`,
			Why: "the example of one requirement breaks another one",
		},
		{
			Name: "shrink-takes-another-way", File: "shrink.go",
			Old: `f.At == s.Best.At && f.Outcome.Signature == s.Best.Outcome.Signature`, New: `f.At == s.Best.At`,
			Why: "the example shows another status than the report tells",
		},
		{
			Name: "shrink-grows", File: "shrink.go",
			Old: `len(steps) == 1 && size(last, now) >= size(s.Best.Steps[0].Step.Message, was)`, New: `len(steps) == 1 && size(last, now) < 0`,
			Why: "shrinking goes round in circles",
		},
		{
			Name: "shrink-waits-on", File: "shrink.go",
			Old: `			s.silent++`, New: `			s.silent += 0`,
			Why: "shrinking a time-out takes a whole wait for each of 400 candidates",
		},
		{
			Name: "shrink-repeats-values", File: "shrink.go",
			Old: `		last = s.refreshed(last)
		steps[0].Message = last`, New: `		last = last.Clone()`,
			Why: "on a store of unique ids no candidate fails but as a repeat",
		},
		{
			Name: "shrink-unique-values-first", File: "shrink.go",
			Old: `s.once && step.Message.Tree != nil && s.values != s.spends(m)`, New: `s.values && step.Message.Tree != nil && s.values != s.spends(m)`,
			Why: "a small id is used up, and the rest of the example stays large",
		},
		{
			Name: "shrink-one-defect-is-as-many", File: "shrink.go",
			Old: `f.Defects <= s.Best.Defects`, New: `f.Defects < 0`,
			Why: "a body with two defects is charged to the wrong one",
		},
		{
			Name: "shrink-keeps-steps", File: "shrink.go",
			Old: `		s.steps()
`, New: ``,
			Why: "a report shows a sequence of hundreds of requests",
		},
		{
			Name: "shrink-members-stay", File: "candidates.go",
			Old: `if (*of(c)).RemoveAt(p) && !yield(c) {`, New: `if false && !yield(c) {`,
			Why: "an example keeps members that have nothing to do with it",
		},
		{
			Name: "shrink-texts-by-halves-alone", File: "candidates.go",
			Old: `		minimum := 2
		if len(r) <= singleLength {
			minimum = 1
		}`, New: `		minimum := 2`,
			Why: "an example keeps characters that have nothing to do with it",
		},
		{
			Name: "shrink-fields-stay", File: "candidates.go",
			Old: `		c.Fields = append(append([]exchange.Field(nil), m.Fields[:i]...), m.Fields[i+1:]...)`, New: `		c.Fields = append(append([]exchange.Field(nil), m.Fields[:i]...), m.Fields[i:]...)`,
			Why: "an example keeps head fields that have nothing to do with it",
		},
	}
}
