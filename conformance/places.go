package conformance

import (
	"path"
	"path/filepath"
	"strings"

	"plantstore/conformance/report"
	"plantstore/internal/fetch"
)

// file returns the path of the document with slashes; empty if it is not a file.
func (s *setup) file() string {
	if s.config.Location == "" || fetch.IsAddress(s.config.Location) {
		return ""
	}
	return path.Clean(filepath.ToSlash(s.config.Location))
}

// place says where the clauses of failed requirements stand. Of others nobody asks, and
// finding a line takes a pass over a large document.
func (s *setup) place(list []report.Result) {
	document := s.file()
	if document == "" {
		return
	}
	for i := range list {
		x := &list[i]
		if x.Verdict != report.Fail {
			continue
		}
		r := s.set.Find(x.Requirement)
		if r == nil || r.Clause.Pointer == "" {
			continue
		}
		other, line := s.contract.Line(r.Clause.Pointer)
		switch {
		case line == 0 || strings.Contains(other, "://"):
		case other == "":
			x.Place = &report.Place{File: document, Line: line}
		default:
			x.Place = &report.Place{File: path.Join(path.Dir(document), other), Line: line}
		}
	}
}
