package formats

import (
	"fmt"
	"strings"

	"plantstore/conformance/report"
)

// class writes what makes a class or a case, and what it is expected to be.
func (s *page) class(e *report.ClassExplanation) {
	s.line("%s", s.paint(strong, Escape(e.ID)))
	if e.ID == e.Class {
		s.field(2, "class of", counted(e.Cases, "case"), 1)
	} else {
		s.field(2, "case of", e.Class+", "+counted(e.Cases, "case"), rowsShown)
	}
	s.field(2, "operation", e.Operation, rowsShown)
	s.field(2, "mutator", e.Mutator, 1)
	s.field(2, "file", e.File, rowsShown)
	s.field(2, "tries", e.Doc, rowsShown)
	s.field(2, "place", e.Place, rowsShown)
	s.field(2, "kind", e.Kind, rowsShown)
	s.field(2, "expected", e.Expected, rowsShown)
	var rows []string
	for _, r := range e.Requirements {
		rows = append(rows, s.row(fmt.Sprintf("%s (%s): %s", r.Requirement, r.Level, r.Sentence)))
	}
	s.rows("requirements that a server can fail here", rows, len(rows))
	heading := "example"
	if e.Steps > 1 {
		heading = fmt.Sprintf("example: the last of %d requests", e.Steps)
	}
	s.request(heading, e.Example)
}

// request writes a request below a heading.
func (s *page) request(heading, text string) {
	if text == "" {
		return
	}
	s.blank()
	s.line("%s", s.paint(strong, heading))
	for l := range strings.Lines(text) {
		s.line("%s", Escape(strings.TrimRight(l, "\r\n")))
	}
}
