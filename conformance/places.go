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
	for i := range list {
		if list[i].Verdict == report.Fail {
			list[i].Place = s.placeOf(list[i].Requirement)
		}
	}
}

// placeOf is where the clause of a requirement stands; nil if that is no file.
func (s *setup) placeOf(id string) *report.Place {
	document, r := s.file(), s.set.Find(id)
	if document == "" || r == nil || r.Clause.Pointer == "" {
		return nil
	}
	switch other, line := s.contract.Line(r.Clause.Pointer); {
	case line == 0 || strings.Contains(other, "://"):
		return nil
	case other == "":
		return &report.Place{File: document, Line: line}
	default:
		return &report.Place{File: path.Join(path.Dir(document), other), Line: line}
	}
}
