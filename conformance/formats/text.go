package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Text writes the report for people: what failed first, the verdict last. One
// fault fits a screen.
func Text(w io.Writer, r *report.Report, o Options) error {
	s := newPage(o)
	if !o.HeaderPrinted {
		s.long(ordinary, HeaderLine(r.Header), 10)
	}
	v := viewOf(r, o)
	s.findings(v)
	s.known(v)
	s.unsettled(r, report.Error, "errors in this suite, not in the target")
	s.unsettled(r, report.Inconclusive, "inconclusive")
	s.notTried(r)
	limit := rowsShown
	if len(v.failed) > 0 {
		limit = rowsBeside // a failure must not leave the screen over it
	}
	s.observed(r, limit)
	s.second(r.Second)
	s.blank()
	s.about(r)
	if at := slices.IndexFunc(v.issues, func(x issue) bool { return x.gates }); at >= 0 {
		s.help(Escape(r.Header.Explain(example(&v.issues[at].Finding))) + " shows what is sent and how to fix the server")
	}
	s.field(0, "counts", v.counts(), 2)
	s.field(0, "second", agreement(r.Second), 2)
	s.field(0, "clean-up", cleanUp(r.CleanUp), fieldLines)
	s.long(v.verdict.style, v.verdict.line(), 2)
	return s.send(w)
}

// VerdictText writes the last line of a text report alone.
func VerdictText(w io.Writer, r *report.Report, o Options) error {
	s, v := newPage(o), viewOf(r, o).verdict
	s.long(v.style, v.line(), 2)
	return s.send(w)
}

// help says what to do next. It is not cut, because it has a command.
func (s *page) help(text string) {
	const label = "help      "
	for i, l := range s.fitting(label+text, len(label)) {
		if i > 0 {
			s.line("%*s%s", len(label), "", l)
			continue
		}
		s.line("%s", s.paint(quiet, label)+strings.TrimPrefix(l, label))
	}
}

// HeaderText writes the first line of a text report alone.
func HeaderText(w io.Writer, h report.Header, o Options) error {
	s := newPage(o)
	s.long(ordinary, HeaderLine(h), 10)
	return s.send(w)
}

// HeaderLine is the first line of a text report. A run prints it as soon as the
// plan is made.
func HeaderLine(h report.Header) string {
	target := Escape(h.Target)
	if h.Embedded {
		target += " (embedded reference server)"
	}
	line := fmt.Sprintf("target %s · %s · seed %d · dataset generation %d · %s planned · may store up to %s",
		target, Escape(h.Document), h.Seed, h.Generation, counted(h.Cases, "case"), counted(h.MaxStored, "resource"))
	if h.Effort != "" && h.Effort != "full" {
		line += " · effort " + Escape(h.Effort)
	}
	if h.Shard != nil {
		line += fmt.Sprintf(" · shard %s of plan %s with %s", h.Shard, Escape(short(h.Shard.Plan)), counted(h.Shard.Cases, "case"))
	}
	if h.NamedCases {
		line += " · each request has its case id in X-Conformance-Case"
	}
	if h.Traced {
		line += " · each request has a trace context in Traceparent"
	}
	return line
}

// short is the beginning of a digest, enough to tell two apart.
func short(digest string) string { return digest[:min(len(digest), 12)] }

// about tells what was learned before the cases ran and what is left out.
func (s *page) about(r *report.Report) {
	var facts []string
	for _, f := range r.Facts {
		facts = append(facts, f.Name+": "+f.Value)
	}
	s.field(0, "learned", strings.Join(facts, "; "), fieldLines)
	s.field(0, "reach", reached(r.Reach), fieldLines)
	s.field(0, "limits", heldBack(r), 2)
	s.field(0, "left out", leftOut(r.Header.LeftOut), fieldLines)
}

// unsettled lists the requirements of one verdict, those with one reason in one row.
func (s *page) unsettled(r *report.Report, v report.Verdict, heading string) {
	n, list := 0, byReason(r, v)
	for _, g := range list {
		n += g.Count
	}
	s.grouped(fmt.Sprintf("%s: %s", heading, counted(n, "requirement")), list)
}

// grouped writes a row for each reason, with the number of things and some of their names.
func (s *page) grouped(heading string, list []sameReason) {
	var rows []string
	for _, g := range list {
		row := fmt.Sprintf("%s: %s", g.Who, g.Reason)
		if g.Count > 1 {
			row = fmt.Sprintf("%d: %s: %s", g.Count, g.Reason, g.Who)
		}
		rows = append(rows, cut(row, 2*s.width))
	}
	s.rows(heading, rows, rowsShown)
}

// notTried tells of requirements that passed although some cases had no answer
// that could be judged.
func (s *page) notTried(r *report.Report) {
	s.grouped("passed, but some cases could not be tried", partly(r))
}

// leftOut joins what is not tried for one reason.
func leftOut(list []string) string {
	var out []string
	for _, x := range leftOutBy(list) {
		if x.Count == 1 && x.Who != "" {
			x.Reason = x.Who + ": " + x.Reason
		} else if x.Count > 1 {
			x.Reason = fmt.Sprintf("%d times %s (%s)", x.Count, x.Reason, x.Who)
		}
		out = append(out, x.Reason)
	}
	return strings.Join(out, "; ")
}

// fullFindings is the largest number of findings that are all told in full.
const fullFindings = 3

// findings writes what failed, the worst first.
func (s *page) findings(v *view) {
	list, o := slices.DeleteFunc(slices.Clone(v.issues), func(x issue) bool { return x.Known }), v.o
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
			if row[0] == "got" || row[0] == "sent" {
				lines = 2 // the words of the server, and the values of a request, stand at its end
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
