package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
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
