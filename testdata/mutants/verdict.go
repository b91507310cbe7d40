package main

func verdictMutants() []mutant {
	return []mutant{
		{
			Name: "requirements-of-another-media-type", File: "check.go",
			Old: `if !b.About(s.op) {`, New: `if false {`,
			Why: "a form that is not checked is charged to JSON",
		},
		{
			Name: "must-suppresses-everything", File: "check.go",
			Old: `			if covers.Has(i) && !s.another(b) {
				out.Suppressed.Add(i)
			}`, New: `			out.Suppressed.Add(i)`,
			Why: "requirements that the exchange has nothing to do with are held up by it",
		},
		{
			Name: "must-suppresses-nothing", File: "check.go",
			Old: `			if covers.Has(i) && !s.another(b) {
				out.Suppressed.Add(i)
			}`, New: ``,
			Why: "a requirement that nothing could show has no reason in the report",
		},
		{
			Name: "every-failure-a-reason", File: "check.go",
			Old: `		if out.Reason != nil && !observed && !j.apart`, New: `		if false && !observed && !j.apart`,
			Why: "one fault has ten reasons, the last of which is told",
		},
		{
			Name: "should-suppresses", File: "check.go",
			Old: `		case b.Level == report.Must:`, New: `		case true:`,
			Why: "a failed SHOULD hides a failed MUST, and fails the run",
		},
		{
			Name: "provisional-is-a-reason", File: "check.go",
			Old: `		case b.Rule.AnyPass:`, New: `		case false:`,
			Why: "a server fails that refuses one tag",
		},
		{
			Name: "negotiated-answer-judged", File: "check.go",
			Old: `		if free && b.Rule.Rank > requirement.Framing && !observed && !history {`, New: `		if free && b.Rule.Rank > requirement.Advice && !observed {`,
			Why: "a server fails that answers a request for HTML with HTML",
		},
		{
			Name: "negotiated-crash-passes", File: "check.go",
			Old: `		if free && b.Rule.Rank > requirement.Framing && !observed && !history {`, New: `		if free && !observed && !history {`,
			Why: "a crash on a request for HTML passes",
		},
		{
			Name: "undecided-is-as-nothing", File: "check.go",
			Old: `		return true // it cannot be decided`, New: `		return false // it cannot be decided`,
			Why: "a pattern that nobody can decide is called an error of the suite",
		},
		{
			Name: "secret-cut-in-half", File: "check.go",
			Old: `	return jsontree.Cut(j.Redactor.Text(text), findingText)`, New: `	return j.Redactor.Text(jsontree.Cut(text, findingText))`,
			Why: "half of the token is in the report",
		},
		{
			Name: "cover-what-cannot-be-tried", File: "covers.go",
			Old: `	if !j.Differs(c, steps) {`, New: `	if false {`,
			Why: "a wrong token that equals the right one is planned for and never tried",
		},
		{
			Name: "cover-heavy-in-full", File: "covers.go",
			Old: `			if j.Bound[at].Rule.Rank <= requirement.Framing {`, New: `			if j.Bound[at].Rule.Rank <= requirement.Schema {`,
			Why: "huge bodies count for requirements that they never show",
		},
		{
			Name: "cover-first-case-alone", File: "covers.go",
			Old: `return c.Draw >= looked && c.Draw%sampled != 0 && c.Draw != c.Class.Cases-1`, New: `return c.Draw > 0`,
			Why: "a class whose second case breaks another keyword cannot test it",
		},
		{
			Name: "cover-by-the-first-cases-alone", File: "covers.go",
			Old: ` && !differ {`, New: ` {`,
			Why: "--only leaves out cases that failed under a requirement",
		},
		{
			Name: "cover-forgets-observed", File: "covers.go",
			Old: `[][]Finding{got.Apart, got.Warnings, got.Provisional, got.Observed}`, New: `[][]Finding{got.Apart, got.Warnings, got.Provisional}`,
			Why: "--only with an open point selects no case",
		},
		{
			Name: "ideal-always-accepts", File: "covers.go",
			Old: `		return j.refusals(op)
	case message.RefuseCredential`, New: `		return j.successes(op, sent)
	case message.RefuseCredential`,
			Why: "an invalid body counts for rows about a success",
		},
		{
			Name: "union-off-by-a-word", File: "judge.go",
			Old: `	for i := range other.words {
		s.words[i] |= other.words[i]`, New: `	for i := range other.words[:max(len(other.words)-1, 0)] {
		s.words[i] |= other.words[i]`,
			Why: "what passed is forgotten for the last requirements",
		},
		{
			Name: "has-off-by-a-word", File: "judge.go",
			Old: `n/64 < len(s.words) &&`, New: `n/64 < len(s.words)-1 &&`,
			Why: "the last requirements are never judged",
		},
		{
			Name: "has-ignores-the-first", File: "judge.go",
			Old: `	n := at - s.first
	return n >= 0`, New: `	n := at - s.first
	return n > 0`,
			Why: "the first requirement is never judged",
		},
		{
			Name: "key-forgets-the-word", File: "judge.go",
			Old: `binary.AppendUvarint(out, uint64(i)), w)`, New: `binary.AppendUvarint(out, uint64(0*i)), w)`,
			Why: "two classes that try different things count as one",
		},
		{
			Name: "shared-value-has-an-owner", File: "origins.go",
			Old: `	case !known || by.request == shared:`, New: `	case !known:`,
			Why: "a value that two requests sent fails a server",
		},
		{
			Name: "same-resource-is-another", File: "origins.go",
			Old: `s.sent.Body != nil && by.numbers != ""`, New: `s.sent.Body == nil && by.numbers != ""`,
			Why: "a store that answers with the resource that it held fails",
		},
		{
			Name: "defects-uncounted", File: "record.go",
			Old: `	return n + len(s.Transport)
}`, New: `	return n
}`,
			Why: "a request with an odd head is taken for one with a single defect",
		},
		{
			Name: "respelled-is-baseline", File: "record.go",
			Old: `		if b.Respelled {
			n++
		}`, New: ``,
			Why: "a refused spelling is called a refusal of the plainest request",
		},
		{
			Name: "answers-kept-whole", File: "record.go",
			Old: `		r.Body = append([]byte(nil), r.Body[:maximum]...)`, New: `		_ = maximum`,
			Why: "a target that sends megabytes fills the memory",
		},
	}
}

func ruleMutants() []mutant {
	return []mutant{
		{
			Name: "status-before-acceptance", File: "rule.go", Also: []string{"conformance/internal/judge"},
			Old: "	Class\n	Status\n", New: "	Status\n	Class\n",
			Why: "an invalid body that is taken with 201 is reported as a wrong status",
		},
		{
			Name: "echo-before-schema", File: "rule.go", Also: []string{"conformance/internal/judge"},
			Old: "	Schema\n	Header\n	Echo\n", New: "	Echo\n	Schema\n	Header\n",
			Why: "an answer without a name is reported as one with another name",
		},
		{
			Name: "broken-answer-read", File: "read.go", Also: []string{"conformance/internal/judge"},
			Old: `	if e.Response == nil || e.Failure != nil {`, New: `	if e.Response == nil {`,
			Why: "an answer that was cut off is judged by its beginning",
		},
	}
}
