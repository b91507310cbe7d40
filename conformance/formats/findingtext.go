package formats

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// fullFindings is up to how many findings each is told with all that helps to see it again.
const fullFindings = 3

// findings are those of a report. Reports that were made without get them from their failures.
func findings(r *report.Report) []report.Finding {
	if len(r.Findings) > 0 {
		return r.Findings
	}
	return report.Findings(r.Results)
}

// findings writes what failed, the worst first.
func (s *page) findings(r *report.Report, o Options) {
	list := slices.DeleteFunc(slices.Clone(findings(r)), func(f report.Finding) bool { return f.Known })
	results := map[string]*report.Result{}
	for i := range r.Results {
		results[r.Results[i].Requirement] = &r.Results[i]
	}
	gating := 0
	for _, f := range list {
		if o.gatesFinding(&f) {
			gating++
		}
	}
	var rows []string
	before := false // whether the finding above is told in full
	for i := range list {
		f := &list[i]
		x := results[example(f)]
		if x == nil {
			continue
		}
		if i >= fullFailures && !o.Verbose {
			rows = append(rows, s.row(string(f.Category)+": "+f.Sentence+" ("+x.Requirement+")"))
			continue
		}
		full := o.Verbose || o.gatesFinding(f) && gating <= fullFindings
		if i == 0 || full || before {
			s.blank()
		}
		before = full
		s.finding(r, f, x, o, full)
	}
	s.rows("more findings (-v shows all in full)", rows, rowsShown)
}

// example is the requirement of the failure that tells most.
func example(f *report.Finding) string {
	if len(f.Members) > 0 {
		return f.Members[0].Requirement
	}
	return f.Requirements[0]
}

// finding writes one finding: what is wrong, and one example of it.
func (s *page) finding(r *report.Report, f *report.Finding, x *report.Result, o Options, full bool) {
	gates := o.gatesFinding(f)
	st, word := doubtful, s.paint(doubtful, "WARN")
	switch {
	case gates:
		st, word = bad, s.paint(bad, "FAIL")
	case f.Level == report.Suspected:
		word = s.paint(doubtful, "SUSPECTED")
	}
	for i, l := range wrap(Escape(f.Sentence), max(s.width-10, 20)) {
		label := ""
		if i == 0 {
			label = string(f.Category)
		}
		s.line("%s%s", s.paint(st, fmt.Sprintf("%-10s", label)), s.paint(strong, l))
	}
	s.line("%s %s (%s)", word, s.paint(strong, Escape(x.Requirement)), Escape(string(x.Level)))
	failure, found := r.Failure(f.Example)
	if at := slices.IndexFunc(x.Failures, func(y report.Failure) bool { return y.N == f.Example }); at >= 0 {
		failure, found = x.Failures[at], true
	}
	if full {
		s.field(5, "rule", x.Sentence, fieldLines)
		s.field(5, "clause", clauseOf(*x), fieldLines)
	}
	s.evidence(*x)
	switch {
	case !found && len(x.Failures) == 0:
		s.field(5, "cases", caseCounts(x.Cases), fieldLines)
	case full:
		s.way(*x, failure)
	default:
		s.field(5, "sent", failure.Sent, 1)
		s.field(5, "expected", expectedIn(f, &failure), 1)
		s.field(5, "got", answerOf(&failure), 1)
		s.field(5, "cause", failure.Cause, 1)
		s.again(&failure)
		s.line("     %s%s", s.paint(quiet, "replay    "), Escape(failure.Replay))
	}
	if full {
		s.members(f, o.Verbose)
	}
}

// expectedIn is what was expected, where the category does not say it.
func expectedIn(f *report.Finding, x *report.Failure) string {
	switch f.Category {
	case report.Crash, report.Security, report.Refusal, report.Leniency:
		return ""
	}
	return x.Expected
}

// members writes the other failures of a finding, a line each.
func (s *page) members(f *report.Finding, all bool) {
	if len(f.Members) < 2 {
		return
	}
	for i, m := range f.Members[1:] {
		label := ""
		if i == 0 {
			label = "also"
		}
		if i == membersShown && !all && len(f.Members) > membersShown+2 {
			s.line("     %-10s… and %d more (-v shows all)", "", len(f.Members)-1-i)
			return
		}
		line := m.Requirement
		if m.Sent != "" {
			line += ": sent " + m.Sent + ", got " + m.Got
		}
		s.field(5, label, line, 1)
	}
}

// membersShown is how many other failures of a finding are told.
const membersShown = 6

// some names the first of a list, and how many others there are.
func some(ids []string, most int) string {
	if len(ids) <= most+1 {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}

// answerBytes is how long a description of an answer is that needs no body behind it.
const answerBytes = 400

// answerOf is what came back, with the first line of its body.
func answerOf(f *report.Failure) string {
	out := f.Got
	if len(f.Story) > 0 || len(f.Steps) == 0 {
		return out
	}
	_, body, found := strings.Cut(string(f.Steps[len(f.Steps)-1].Response.Data), "\r\n\r\n")
	line, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	if f.Flaw.Said != "" && (strings.HasPrefix(line, "<") || len(line) > 200) {
		line = f.Flaw.Said
	}
	plain := f.Flaw.Category == report.Crash || f.Flaw.Category == report.Refusal || f.Flaw.Category == report.Leniency || strings.HasSuffix(f.Flaw.Rule, "-status")
	if !plain || !found || len(out) > answerBytes || line == "" || strings.Contains(out, line) {
		return out
	}
	return out + "  " + line
}
