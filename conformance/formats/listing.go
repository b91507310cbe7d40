package formats

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/report"
)

// ListingText writes the plan: a row for each requirement, then the totals.
func ListingText(w io.Writer, l *report.Listing, o Options) error {
	s := newPage(o)
	wide := len("requirement")
	for _, e := range l.Requirements {
		wide = max(wide, utf8.RuneCountInString(Escape(e.Requirement)))
	}
	s.line("%s", s.paint(strong, pad("requirement", wide)+"  level   cases  sentence"))
	for _, e := range l.Requirements {
		cases := strconv.Itoa(e.Cases)
		if l.Estimated {
			cases = "-"
		}
		s.line("%s  %-6s  %5s  %s", pad(Escape(e.Requirement), wide), Escape(string(e.Level)), cases, Escape(e.Sentence))
	}
	s.blank()
	about := ""
	if l.Estimated {
		about = "up to "
	}
	s.line("%s: %s, %s%s", Escape(l.Document), counted(len(l.Requirements), "requirement"), about, counted(l.Cases, "case"))
	for i, address := range l.Servers {
		s.field(0, "server "+strconv.Itoa(i+1), address, rowsShown)
	}
	s.field(0, "left out", strings.Join(l.LeftOut, "; "), rowsShown)
	return s.send(w)
}

func pad(s string, runes int) string {
	return s + strings.Repeat(" ", max(runes-utf8.RuneCountInString(s), 0))
}

// ExplanationText writes one requirement, class or case in full.
func ExplanationText(w io.Writer, e *report.Explanation, o Options) error {
	s := newPage(o)
	if e.Class != nil {
		s.class(e.Class)
		return s.send(w)
	}
	s.line("%s (%s)", s.paint(strong, Escape(e.Requirement)), Escape(string(e.Level)))
	s.field(2, "rule", e.Sentence, rowsShown)
	s.field(2, "clause", e.Clause, rowsShown)
	s.paragraphs("checks", e.Doc)
	s.field(2, "judged by", e.Rule, 1)
	s.field(2, "file", e.File, rowsShown)
	s.field(2, "cases", counted(e.Cases, "case"), 1)
	s.rows("what is sent", sentRows(e.Classes), rowsShown)
	s.request("example", e.Example)
	if e.Fix != "" {
		s.blank()
		s.paragraphs("fix", e.Fix)
	}
	return s.send(w)
}

// family is the classes that share the first parts of their names.
type family struct {
	name, first    string // what they share, and the whole name of the first
	classes, cases int
}

// sentRows lists classes with their numbers of cases. If there are many, it groups
// them by the first parts of their names, as many as still give a short list.
func sentRows(classes []report.ClassCount) []string {
	const short = 20
	list := families(classes, math.MaxInt)
	for depth := 5; len(list) > short && depth > 1; depth-- {
		list = families(classes, depth)
	}
	var rows []string
	for _, f := range list {
		row := Escape(f.first) + ": " + counted(f.cases, "case")
		if f.classes > 1 {
			row = fmt.Sprintf("%s/*: %s in %d classes", Escape(f.name), counted(f.cases, "case"), f.classes)
		}
		rows = append(rows, row)
	}
	return rows
}

// families groups classes by the first parts of their names; depth is the number of
// parts.
func families(classes []report.ClassCount, depth int) []*family {
	var list []*family
	by := map[string]*family{}
	for _, c := range classes {
		parts := strings.Split(c.Class, "/")
		name := strings.Join(parts[:min(depth, len(parts))], "/")
		f := by[name]
		if f == nil {
			f = &family{name: name, first: c.Class}
			by[name] = f
			list = append(list, f)
		}
		f.classes++
		f.cases += c.Judged
	}
	return list
}

// paragraphs writes a text of several lines below one label.
func (s *page) paragraphs(label, text string) {
	for l := range strings.Lines(strings.TrimSpace(text)) {
		s.field(2, label, strings.TrimSpace(l), rowsShown)
		label = ""
	}
}

// TranscriptText writes what a replay sent and received, to the byte, and
// whether it failed.
func TranscriptText(w io.Writer, t *report.Transcript, o Options) error {
	s := newPage(o)
	s.line("%s", s.paint(strong, "case "+Escape(t.Case)))
	s.steps(0, t.Steps, 0, 0, 0)
	s.blank()
	gates := false
	for _, r := range t.Failures {
		word, st := "WARN", doubtful
		if o.gates(r.Level) {
			word, st, gates = "FAIL", bad, true
		}
		s.line("%s %s (%s)", s.paint(st, word), s.paint(strong, Escape(r.Requirement)), Escape(string(r.Level)))
		s.field(5, "rule", r.Sentence, fieldLines)
		for _, f := range r.Failures {
			s.field(5, "expected", f.Expected, fieldLines)
			s.field(5, "got", f.Got, fieldLines)
		}
	}
	switch {
	case gates:
		s.line("%s", s.paint(bad, "failed"))
	case t.Reason != "":
		s.line("%s", s.paint(doubtful, "not judged: "+cut(t.Reason, 4*s.width)))
	case len(t.Failures) > 0:
		s.line("%s", s.paint(doubtful, "passed, with a warning"))
	default:
		s.line("%s", s.paint(good, "passed"))
	}
	return s.send(w)
}
