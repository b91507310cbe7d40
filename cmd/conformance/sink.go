package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// sink is a place that a report will be written to, proved writable before the
// run. A file is written beside its place and renamed, when the report is
// there: nobody reads half a report, and nothing stays behind of a run that is
// killed. A report that is written while the run goes on is written in its place.
type sink struct {
	output
	// device is open where the report is written in place, into a device or a
	// pipe; else final is where the file belongs, and old tells that there is one.
	device *os.File
	final  string
	old    bool
	mode   fs.FileMode
	live   *live // nil before the run starts, and in other forms
}

// private is the mode of the files that a run makes: what a target answers may
// be nobody else's business.
const private = 0o600

// openSink makes ready to write, and makes folders that are missing. The error is a *usageError.
func openSink(o output) (*sink, error) {
	s, err := tryOpen(o)
	if err != nil {
		return nil, usagef("give a path that can be written", "--report %s=%s: %v", o.format.Name, o.path, bare(err))
	}
	return s, nil
}

func tryOpen(o output) (*sink, error) {
	s := &sink{output: o, final: o.path, mode: private}
	if real, err := filepath.EvalSymlinks(s.final); err == nil {
		s.final = real // a link stays a link
	}
	f, err := openNow(s.final, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err := os.MkdirAll(filepath.Dir(s.final), 0o755)
		if err != nil {
			return s, err
		}
		probe, err := s.beside()
		if err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
		return s, err
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		s.device = f
		return s, nil
	}
	if err == nil {
		s.old, s.mode = true, info.Mode().Perm()
	}
	return s, errors.Join(err, f.Close())
}

// openNow opens a path for writing and never waits: opening a pipe that nobody
// reads would.
func openNow(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK|flags, private)
	if errors.Is(err, syscall.ENXIO) {
		if info, stat := os.Stat(path); stat == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			return nil, errors.New("is a pipe without a reader")
		}
	}
	return f, err
}

// beside makes a file in the folder of the report.
func (s *sink) beside() (f *os.File, err error) {
	for range 100 {
		name := filepath.Join(filepath.Dir(s.final), fmt.Sprintf(".conformance-%08x", rand.Uint32()))
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// write writes the report by the function and puts it into its place.
func (s *sink) write(report func(io.Writer) error) error {
	return s.told(s.put(report))
}

// told says which report an error is about.
func (s *sink) told(err error) error {
	if err != nil {
		return fmt.Errorf("--report %s=%s: %w", s.format.Name, s.path, bare(err))
	}
	return nil
}

func (s *sink) put(report func(io.Writer) error) error {
	if s.device != nil {
		err := report(patient{s.device, readerTimeout})
		return errors.Join(err, s.device.Close())
	}
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return err
	}
	err := s.replace(text.Bytes())
	if s.old && fixed(err) {
		return os.WriteFile(s.final, text.Bytes(), s.mode)
	}
	return err
}

// replace writes a file beside the place and renames it.
func (s *sink) replace(text []byte) error {
	f, err := s.beside()
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && s.mode != private {
		err = f.Chmod(s.mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), s.final)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
	}
	return err
}

// fixed tells that a file can be written but not replaced: its folder is
// read-only, or it is mounted by itself.
func fixed(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV)
}

// discard closes what was opened for a report that is not written.
func (s *sink) discard() {
	if s.live != nil {
		s.live.discard()
		return
	}
	if s.device != nil {
		_ = s.device.Close() // nothing was written
	}
}

// output is one --report FORMAT=PATH; the path "-" is standard output.
type output struct {
	format formats.Format
	path   string
}

func (o *output) UnmarshalText(text []byte) error {
	f, path, err := formatAndPath(text, formats.Find, "json=report.json or json=-")
	*o = output{format: f, path: path}
	return err
}

// formatAndPath reads FORMAT=PATH, with a function that knows the formats by name. The
// error is a *usageError with the examples.
func formatAndPath[F any](text []byte, find func(name string) (F, error), examples string) (format F, path string, err error) {
	name, path, found := strings.Cut(string(text), "=")
	if !found || path == "" {
		return format, "", usagef("write FORMAT=PATH, such as "+examples, "%q is not FORMAT=PATH", text)
	}
	if format, err = find(name); err != nil {
		what, hint, _ := strings.Cut(err.Error(), ": ")
		return format, "", usagef(hint, "%s", what)
	}
	for _, part := range strings.Split(path, ",")[1:] {
		if second, _, found := strings.Cut(part, "="); found {
			if _, err := find(strings.TrimSpace(second)); err == nil {
				return format, "", usagef("write --report once for each, or in CONFORMANCE_REPORT one value per line", "%q names several reports", text)
			}
		}
	}
	return format, path, nil
}

// checkOutputs refuses two reports for one place.
func checkOutputs(list []output) error {
	seen := map[string]string{}
	for _, o := range list {
		place := o.path
		if place != "-" {
			place = filepath.Clean(place)
		}
		if first, twice := seen[place]; twice {
			return usagef("give each report its own file", "--report %s and %s both write to %s", first, o.format.Name, o.path)
		}
		seen[place] = o.format.Name
	}
	return nil
}

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

// trace is the file of --trace. It is written as the run goes, so that a run
// that is killed leaves what it has seen.
type trace struct {
	file   *os.File
	buf    *bufio.Writer
	closed bool
}

func newTrace(path string) (*trace, error) {
	f, err := create("--trace", path)
	if err != nil {
		return nil, err
	}
	return &trace{file: f, buf: bufio.NewWriterSize(patient{f, readerTimeout}, 64<<10)}, nil
}

// Write keeps the first error for close; a run does not end over its trace.
func (t *trace) Write(b []byte) (int, error) { return t.buf.Write(b) }

// close ends the file; without a trace, and the second time, it does nothing.
func (t *trace) close() error {
	if t == nil || t.closed {
		return nil
	}
	t.closed = true
	err := t.buf.Flush()
	if closed := t.file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("--trace %s: %w", t.file.Name(), bare(err))
	}
	return nil
}

// create opens a file for writing that a flag names. The error is a *usageError.
func create(flag, path string) (*os.File, error) {
	if path == "" || path == "-" {
		return nil, usagef("give the path of a file", "%s %q is not a file", flag, path)
	}
	f, err := openNow(path, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, usagef("give a path that can be written", "%s %s: %v", flag, path, bare(err))
	}
	return f, nil
}
