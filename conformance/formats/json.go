package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"plantstore/conformance/report"
)

// JSON writes the whole report, indented, the same bytes for the same report.
func JSON(w io.Writer, r *report.Report, _ Options) error { return writeJSON(w, r) }

// ListingJSON writes the plan as JSON.
func ListingJSON(w io.Writer, l *report.Listing) error { return writeJSON(w, l) }

// ReadJSON reads a report that JSON wrote. Members it does not know are passed
// over, as a newer suite of the same version may have added them. An error is
// one line and says what to do.
func ReadJSON(data []byte) (*report.Report, error) {
	var head struct {
		Version int `json:"version"`
	}
	var syntax *jsontext.SyntacticError
	switch err := json.Unmarshal(data, &head); {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("the file is empty: write one with --report json=FILE")
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("not JSON at byte %d: write one with --report json=FILE", syntax.ByteOffset)
	case err != nil, head.Version == 0:
		return nil, errors.New("no report of this suite: write one with --report json=FILE")
	case head.Version != report.Version:
		return nil, fmt.Errorf("report version %d: this suite reads version %d", head.Version, report.Version)
	}
	r := new(report.Report)
	if err := json.Unmarshal(data, r, options()); err != nil {
		at := ""
		var kind *json.SemanticError
		if errors.As(err, &kind) {
			at = " at " + cut(string(kind.JSONPointer), 120)
		}
		return nil, fmt.Errorf("a member is of the wrong type%s: write the report again with --report json=FILE", at)
	}
	if r.Summary.Verdict == "" {
		// What other commands write as JSON has a version too.
		return nil, errors.New("no report of a run: write one with --report json=FILE")
	}
	return r, nil
}

// options are those of reading and writing. Broken UTF-8 in a sentence must not
// lose the whole report, so it is replaced; bytes of the wire are kept by
// report.Bytes.
func options() json.Options {
	return json.JoinOptions(
		json.Deterministic(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.WithIndent("  "),
		jsonv1.FormatDurationAsNano(true),
	)
}

func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v, options())
	if err != nil {
		return fmt.Errorf("json report: %w", err)
	}
	_, err = w.Write(append(report.Printable(b), '\n'))
	return err
}

// NDJSON writes one JSON object a line, for programs that read a stream: the header,
// each result, each observation, the file of known failures if there was one, each finding, the
// worst first, and the summary at the end. The member kind says which of these a line is; the
// other members are those of the JSON report. A stream without a summary was cut. A Stream
// writes the same lines while a run goes on.
func NDJSON(w io.Writer, r *report.Report, _ Options) error {
	var b bytes.Buffer
	if err := NewStream(&b).End(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// rest lists the lines that are known when a run has ended, in the order of the report.
func rest(r *report.Report) (lines []any) {
	for _, x := range r.Results {
		lines = append(lines, ndResult{"result", x})
	}
	for _, x := range r.Observed {
		lines = append(lines, ndObserved{"observed", x})
	}
	if r.KnownFailures != nil {
		lines = append(lines, ndKnown{"known_failures", *r.KnownFailures})
	}
	for _, x := range r.Found() {
		lines = append(lines, ndFinding{"finding", x})
	}
	end := r.Summary
	end.Verdict = outcome(r)
	return append(lines, ndSummary{"summary", end, r.Times})
}

func ndLine(line any) ([]byte, error) {
	text, err := json.Marshal(line, options(), jsontext.Multiline(false))
	if err != nil {
		return nil, fmt.Errorf("ndjson report: %w", err)
	}
	return append(report.Printable(text), '\n'), nil
}

// The lines of NDJSON.
type (
	ndHeader struct {
		Kind    string `json:"kind"`
		Version int    `json:"version"`
		Tool    string `json:"tool"`
		report.Header
	}
	ndProgress struct {
		Kind    string `json:"kind"`
		Done    int    `json:"done"`
		Planned int    `json:"planned"`
		Failed  int    `json:"failed"`
	}
	ndFailing struct {
		Kind        string       `json:"kind"`
		Requirement string       `json:"requirement"`
		Level       report.Level `json:"level"`
		Case        string       `json:"case"`
	}
	ndConfirmed struct {
		Kind          string       `json:"kind"`
		Requirement   string       `json:"requirement"`
		Level         report.Level `json:"level"`
		Clause        string       `json:"clause"`
		Case          string       `json:"case"`
		Stable        bool         `json:"stable"`
		NotTriedAgain string       `json:"not_tried_again,omitempty"`
		Sent          string       `json:"sent"`
		Expected      string       `json:"expected"`
		Got           string       `json:"got"`
	}
	ndResult struct {
		Kind string `json:"kind"`
		report.Result
	}
	ndObserved struct {
		Kind string `json:"kind"`
		report.Observe
	}
	ndKnown struct {
		Kind string `json:"kind"`
		report.KnownFailures
	}
	ndFinding struct {
		Kind string `json:"kind"`
		report.Finding
	}
	ndSummary struct {
		Kind string `json:"kind"`
		report.Summary
		Times report.Times `json:"times"`
	}
)

// Stream writes NDJSON while a run goes on, each line as soon as it is known. Between the
// header and the results it has lines of three further kinds: progress after each tenth of
// the cases, failing when a requirement fails for the first time, and confirmed when a
// failure was tried again. These depend on the order in which the answers come. All other
// lines are those of NDJSON, in its order.
type Stream struct {
	mu     sync.Mutex
	w      io.Writer
	begun  bool
	tenths int   // of the cases that are done
	lost   error // the first error of a line
}

// NewStream returns a stream that writes each line with one call of w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Started writes the header.
func (s *Stream) Started(tool string, h report.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin(report.Version, tool, h)
}

func (s *Stream) begin(version int, tool string, h report.Header) {
	if !s.begun {
		s.line(ndHeader{"header", version, tool, h})
	}
	s.begun = true
}

// Progress writes how many cases are done, and how many of them failed at first.
func (s *Stream) Progress(done, planned, failed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if planned <= 0 || 10*done/planned <= s.tenths {
		return
	}
	s.tenths = 10 * done / planned
	s.line(ndProgress{"progress", done, planned, failed})
}

// Failing writes that a requirement fails for the first time, and in which case. A second
// look may find another cause.
func (s *Stream) Failing(r report.Result, caseID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line(ndFailing{"failing", r.Requirement, r.Level, caseID})
}

// Confirmed writes a failure that was tried again. It may follow from another one, which
// the results tell.
func (s *Stream) Confirmed(r report.Result, f report.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line(ndConfirmed{"confirmed", r.Requirement, r.Level, r.Clause, f.Case, f.Stable, f.NotTriedAgain, f.Sent, f.Expected, f.Got})
}

// End writes what is known when the run has ended. It returns the first error of all
// lines.
func (s *Stream) End(r *report.Report) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begin(r.Version, r.Tool, r.Header)
	for _, line := range rest(r) {
		s.line(line)
	}
	return s.lost
}

// line writes one, unless an earlier one was lost: a stream has no gaps.
func (s *Stream) line(line any) {
	if s.lost != nil {
		return
	}
	text, err := ndLine(line)
	if err == nil {
		_, err = s.w.Write(text)
	}
	s.lost = err
}
