package formats

import (
	"io"
	"sync"

	"plantstore/conformance/report"
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
