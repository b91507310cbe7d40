package main

import (
	"errors"
	"io"
	"os"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// live is a report that is written while the run goes on, in its place: what follows a
// file with tail sees each line as soon as it is known, and a run that is killed leaves
// what it has written.
type live struct {
	stream *formats.Stream
	file   *os.File // nil if it could not be opened again
}

// begin begins the report, if its form can be written while the run goes on.
func (s *sink) begin() {
	if s.format.Live == nil {
		return
	}
	file, err := s.device, error(nil)
	if file == nil {
		file, err = openNow(s.final, os.O_CREATE|os.O_TRUNC)
	}
	var w io.Writer = patient{file, readerTimeout}
	if err != nil {
		w = broken{err}
	}
	s.live = &live{stream: s.format.Live(w), file: file}
}

// end writes the rest of the report.
func (s *sink) end(r *report.Report) error {
	err := s.live.stream.End(r)
	if s.live.file != nil {
		err = errors.Join(err, s.live.file.Close())
	}
	return s.told(err)
}

// discard closes the file of a run without a report. It keeps its lines.
func (l *live) discard() {
	if l.file != nil {
		_ = l.file.Close() // nobody waits for what it has
	}
}

// broken cannot be written to.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
