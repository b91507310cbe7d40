// Package formats is the catalogue of report formats, one file per format. A format
// prints a report and adds no judgement of its own. Text from the target is escaped,
// so that it can neither control a terminal nor break the syntax of a file.
package formats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// FormatOf is one way of writing a T.
type FormatOf[T any] struct {
	// Name is the lower-case word for --report. Doc is one line.
	Name, Doc string
	// Write writes the whole T. It returns the error of the writer.
	Write func(w io.Writer, t *T, o Options) error
	// Live, if not nil, begins the report of a run while that goes on.
	Live func(w io.Writer) *Stream
}

// Format is one way of writing a report.
type Format = FormatOf[report.Report]

// Options are the choices of the reader. Formats for programs ignore Colour and
// Width.
type Options struct {
	// Colour allows escape sequences for colour: for a terminal only.
	Colour bool
	// Width is the number of columns to wrap at; 0 means 100.
	Width int
	// Build is the version of the program, for an attestation; empty if not known.
	Build string
	// HeaderPrinted leaves the first line out, because the caller printed
	// HeaderLine when the run started.
	HeaderPrinted bool
	// Verbose shows all failures of a finding, each with all that is known of it.
	Verbose bool
	// FailOn says which failures are more than warnings; empty means report.Must.
	FailOn report.Gate
	// Repository gives the path of a file from the top of the repository, for systems that
	// show a file at its line; nil leaves paths as the run has them.
	Repository func(file string) string
}

// inRepository is the report with the paths that such a system knows.
func (o Options) inRepository(r *report.Report) *report.Report {
	if o.Repository == nil {
		return r
	}
	out := *r
	out.Header.File = o.Repository(r.Header.File)
	out.Results = slices.Clone(r.Results)
	for i := range out.Results {
		if at := out.Results[i].Place; at != nil {
			out.Results[i].Place = &report.Place{File: o.Repository(at.File), Line: at.Line}
		}
	}
	if r.KnownFailures != nil {
		known := *r.KnownFailures
		known.Name = o.Repository(known.Name)
		out.KnownFailures = &known
	}
	return &out
}

// gatesFinding reports whether a finding makes the target not conformant.
func (o Options) gatesFinding(f *report.Finding) bool {
	return !f.Known && (f.Level.Gates(o.FailOn) || f.Category.Gates(o.FailOn))
}

// List returns all formats, the default first.
func List() []Format {
	return []Format{
		{Name: "text", Doc: "for people; this is what a run prints", Write: Text},
		{Name: "json", Doc: "the whole report, for programs and for replay", Write: JSON},
		{Name: "junit", Doc: "JUnit XML, for CI systems", Write: JUnit},
		{Name: "markdown", Doc: "Markdown, for a job summary or a comment", Write: Markdown},
		{Name: "github", Doc: "commands of GitHub Actions, for annotations", Write: GitHub},
		{Name: "html", Doc: "one page for a browser, without a network", Write: HTML},
		{Name: "sarif", Doc: "SARIF 2.1.0, for code scanning", Write: SARIF},
		{Name: "tap", Doc: "TAP version 14, for test harnesses", Write: TAP},
		{Name: "gitlab", Doc: "Code Quality of GitLab, for merge requests", Write: GitLab},
		{Name: "ndjson", Doc: "a JSON object a line, written while the run goes on", Write: NDJSON, Live: NewStream},
		{Name: "har", Doc: "HTTP Archive 1.2, the requests of failures", Write: HAR},
		{Name: "attestation", Doc: "in-toto statement test-result, to be signed", Write: Attestation},
	}
}

// Find returns the format with that name. The error has the nearest name, or lists all.
func Find(name string) (Format, error) { return find(List(), "report", name) }

func find[T any](list []FormatOf[T], what, name string) (FormatOf[T], error) {
	var known []string
	for _, f := range list {
		if f.Name == name {
			return f, nil
		}
		known = append(known, f.Name)
	}
	return FormatOf[T]{}, fmt.Errorf("unknown %s format %q: %s", what, name, cmp.Or(nearest.Hint(name, known), "use one of "+strings.Join(known, ", ")))
}

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
