package main

func explainMutants() []mutant {
	return []mutant{
		{
			Name: "token-in-the-answer", File: "script.go",
			Old: `	hide := e.judge.Redactor.And(e.presented(p.Step.Message)...)`, New: `	hide := redact.New(e.presented(p.Step.Message)...)`,
			Why: "a server that logs its requests into answers puts the token into the report",
		},
		{
			Name: "token-in-words", File: "script.go",
			Old: `{ return e.judge.Redactor.Text(s) }`, New: `{ return s }`,
			Why: "the token is in a sentence of the report",
		},
		{
			Name: "common-with-counterexample", File: "common.go",
			Old: `if all(failed, t.has) && !some(passed, t.has) {`, New: `if all(failed, t.has) {`,
			Why: "a report says that all long names fail though one passed",
		},
		{
			Name: "common-with-exception", File: "common.go",
			Old: `if all(failed, t.has) && !some(passed, t.has) {`, New: `if some(failed, t.has) && !some(passed, t.has) {`,
			Why: "a report says what some failed requests share as if all did",
		},
		{
			Name: "common-limits-swapped", File: "common.go",
			Old: `	return []trait{side("above", high, 1), side("below", low, -1)}`, New: `	return []trait{side("above", low, 1), side("below", high, -1)}`,
			Why: "a report names a limit that requests beyond it kept",
		},
		{
			Name: "bytes-for-characters", File: "common.go",
			Old: `{{"characters", utf8.RuneCountInString}, {"bytes", func(s string) int { return len(s) }}}`,
			New: `{{"characters", func(s string) int { return max(len(s), utf8.RuneCountInString(s)) }}, {"bytes", func(s string) int { return len(s) }}}`,
			Why: "a report counts bytes and calls them characters",
		},
		{
			Name: "judged-counts-failed-alone", File: "describe.go",
			Old: `(r.Passed.Has(g.At) || r.FailedAt(g.At))`, New: `r.Passed.Has(g.At)`,
			Why: "a report says that 3 of 0 cases failed",
		},
		{
			Name: "last-step-left-out", File: "describe.go",
			Old: `i < stepsShown || i == len(f.Steps)-1 {`, New: `i < stepsShown {`,
			Why: "a report of a long sequence does not hold the request that failed",
		},
		{
			Name: "curl-for-a-sequence", File: "describe.go",
			Old: `	if len(f.Steps) == 1 && out.Curl == "" {`, New: `	if len(f.Steps) > 0 && out.Curl == "" {`,
			Why: "a command is offered that does not show the failure",
		},
		{
			Name: "renamed-member-unsaid", File: "describe.go",
			Old: `		if of.Property(m.Name) == nil {`, New: `		if schema.Property(m.Name) != nil {`,
			Why: "a missing member that is there under another name is just missing",
		},
	}
}

func crosscheckMutants() []mutant {
	return []mutant{
		{
			Name: "asked-for-each-answer", File: "second.go",
			Old: `		case len(word) >= 6 && bytes.ContainsAny(word, "0123456789"):`, New: `		case false:`,
			Why: "the second reader is asked thousands of times about the same",
		},
		{
			Name: "plain-words-are-fresh", File: "second.go",
			Old: `len(word) >= 6 && bytes.ContainsAny(word, "0123456789")`, New: `len(word) >= 6`,
			Why: "two different answers count as one",
		},
		{
			Name: "status-is-not-asked", File: "second.go",
			Old: `x.op.Slug, strconv.Itoa(x.status), x.contentType`, New: `x.op.Slug, x.contentType`,
			Why: "an answer under another status is not asked about",
		},
		{
			Name: "undecided-is-asked", File: "second.go",
			Old: ` || p.Answer.Reading.Kind == schema.Undecided {`, New: ` {`,
			Why: "a pattern that nobody decides is called a disagreement",
		},
		{
			Name: "large-answers-unsaid", File: "second.go",
			Old: `	case a.huge > 0:`, New: `	case a.huge < 0:`,
			Why: "nobody is told that large answers have no second opinion",
		},
		{
			Name: "differences-agree", File: "second.go",
			Old: `	if takes == a.exact {`, New: `	if takes == a.exact || takes {`,
			Why: "an answer that only the exact judge refuses is called agreed",
		},
		{
			Name: "differences-told-each", File: "second.go",
			Old: `if out.Differences[i].Same(d) {`, New: `if false {`,
			Why: "one difference fills the report",
		},
	}
}

func replayMutants() []mutant {
	return []mutant{
		{
			Name: "replay-unknown-words", File: "recorded.go",
			Old: `		if left := stripped(w); len(left) > 0 && !within(left, from) {`, New: `		if left := stripped(w); len(left) < 0 && !within(left, from) {`,
			Why: "whoever writes a report chooses what is sent with the token",
		},
		{
			Name: "replay-another-kind", File: "recorded.go",
			Old: `	case a.Body != nil && b.Body != nil && a.Body.Kind != b.Body.Kind:`, New: `	case false:`,
			Why: "a report of a refusal sends a request that is accepted",
		},
		{
			Name: "replay-another-method", File: "asrecorded.go",
			Old: `	if h.method != known.method {`, New: `	if h.method == "" {`,
			Why: "a report is replayed though it does not fit the plan, and the user is told nothing",
		},
		{
			Name: "replay-further-fields", File: "asrecorded.go",
			Old: `		if !slices.Contains(known.lines, l) {`, New: `		if false {`,
			Why: "fields of a report are dropped without a word",
		},
		{
			Name: "replay-cut-requests", File: "recorded.go",
			Old: `return st.Request.Cut > 0`, New: `return st.Request.Cut < 0`,
			Why: "half of a request is sent as if it were the whole",
		},
		{
			Name: "replay-token-to-anybody", File: "asrecorded.go",
			Old: `p.fill(c, st, r.SameOrigin)`, New: `p.fill(c, st, true)`,
			Why: "the token goes to a target that the report did not know",
		},
		{
			Name: "replay-any-credential", File: "asrecorded.go",
			Old: `		if credential.In == "" && strings.Trim(e.Shows(credential), " \t") == show && strings.EqualFold(credential.Field, field) {`,
			New: `		if strings.EqualFold(credential.Field, field) {`,
			Why: "a report of another version is replayed with another credential",
		},
		{
			Name: "replay-without-target", File: "replay.go",
			Old: `	if t.Reason != "" {
		return t
	}
	p.judge.Cover`, New: `	p.judge.Cover`,
			Why: "a case fails on a target that is not there",
		},
		{
			Name: "recorded-without-target", File: "recorded.go",
			Old: `!explore.Accepted(c.Op, e) {`, New: `e == nil && !explore.Accepted(c.Op, e) {`,
			Why: "a recorded failure passes on a target that refuses the token",
		},
		{
			Name: "replay-token-shown", File: "asrecorded.go",
			Old: `			lines[i+1] = name + ": " + real`, New: `			lines[i+1] = name + ": " + real
			public[i+1] = lines[i+1]`,
			Why: "the token is in the transcript",
		},
	}
}
