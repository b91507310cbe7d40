package formats

import (
	"fmt"
	"slices"

	"plantstore/conformance/report"
)

// fullFindings is the largest number of findings that are all told in full.
const fullFindings = 3

// findings writes what failed, the worst first.
func (s *page) findings(r *report.Report, o Options) {
	list := slices.DeleteFunc(issues(r, o), func(x issue) bool { return x.Known })
	gating := 0
	for _, x := range list {
		if x.gates {
			gating++
		}
	}
	var rows []string
	before := false // whether the finding above is told in full
	for i := range list {
		x := &list[i]
		if i >= fullFailures && !o.Verbose {
			rows = append(rows, s.row(x.title()+" ("+x.result.Requirement+") ["+x.ID+"]"))
			continue
		}
		full := o.Verbose || x.gates && gating <= fullFindings
		if i == 0 || full || before {
			s.blank()
		}
		before = full
		s.finding(x, o, full)
	}
	s.rows("more findings (-v shows all in full)", rows, rowsShown)
}

// finding writes one finding: what is wrong, and one example of it.
func (s *page) finding(x *issue, o Options, full bool) {
	st, word := doubtful, s.paint(doubtful, "WARN")
	switch x.word {
	case string(report.Fail):
		st, word = bad, s.paint(bad, "FAIL")
	case shownSuspected:
		word = s.paint(doubtful, "SUSPECTED")
	case shownKnown:
		word = s.paint(doubtful, "KNOWN")
	}
	for i, l := range wrap(Escape(x.Sentence), max(s.width-10, 20)) {
		label := ""
		if i == 0 {
			label = string(x.Category)
		}
		s.line("%s%s", s.paint(st, fmt.Sprintf("%-10s", label)), s.paint(strong, l))
	}
	s.line("%s %s (%s) %s", word, s.paint(strong, Escape(x.result.Requirement)), Escape(string(x.result.Level)), s.paint(quiet, "["+Escape(x.ID)+"]"))
	if full {
		s.field(5, "rule", x.result.Sentence, fieldLines)
		s.field(5, "clause", clauseOf(x.result), fieldLines)
	}
	s.field(5, "reason", x.accepted(), fieldLines)
	s.evidence(x.result)
	failure, found := x.failure()
	if full && found {
		s.way(x.result, failure)
	} else {
		for _, row := range x.exchange() {
			if row[0] == "again" {
				s.again(&failure)
				continue
			}
			lines := 1
			if row[0] == "got" {
				lines = 2 // the words of the server stand at its end
			}
			s.field(5, row[0], row[1], lines)
		}
		if x.Replay != "" {
			all := ""
			if x.all != "" {
				all = fmt.Sprintf("  # all %d: %s", len(x.Members), Escape(x.all))
			}
			s.line("     %s%s%s", s.paint(quiet, "replay    "), Escape(x.Replay), all)
		}
	}
	if full {
		if x.all != "" {
			s.line("     %s%s", s.paint(quiet, fmt.Sprintf("%-10s", fmt.Sprintf("all %d", len(x.Members)))), Escape(x.all))
		}
		s.members(&x.Finding, o.Verbose)
	}
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
