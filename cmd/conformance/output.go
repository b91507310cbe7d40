package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"plantstore/conformance/formats"
)

// output is one --report FORMAT=PATH; the path "-" is standard output.
type output struct {
	format formats.Format
	path   string
}

func (o *output) UnmarshalText(text []byte) error {
	name, path, found := strings.Cut(string(text), "=")
	if !found || path == "" {
		return usagef("write FORMAT=PATH, such as json=report.json or json=-", "%q names no format and file", text)
	}
	f, err := formats.Find(name)
	if err != nil {
		what, hint, _ := strings.Cut(err.Error(), ": ")
		return usagef(hint, "%s", what)
	}
	*o = output{format: f, path: path}
	return nil
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
			return usagef("give each report a place of its own", "--report %s and %s both write to %s", first, o.format.Name, o.path)
		}
		seen[place] = o.format.Name
	}
	return nil
}

// sink is a file that a report will be written to. It is proved writable before
// the run, and written beside its place and renamed, so that nobody ever reads
// half a report.
type sink struct {
	output
	file *os.File
	// final is where the file belongs; empty where the report is written in
	// place, into a device or a pipe.
	final string
	mode  fs.FileMode
}

// openSink makes ready to write. The error is a *usageError.
func openSink(o output) (*sink, error) {
	s, err := tryOpen(o)
	if err != nil {
		return nil, usagef("give a path that can be written", "--report %s=%s: %v", o.format.Name, o.path, bare(err))
	}
	return s, nil
}

func tryOpen(o output) (*sink, error) {
	final := o.path
	if real, err := filepath.EvalSymlinks(final); err == nil {
		final = real // a link stays a link
	}
	s := &sink{output: o, final: final}
	switch info, err := os.Stat(final); {
	case err == nil && info.IsDir():
		return nil, errors.New("is a directory")
	case err == nil:
		f, err := os.OpenFile(final, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			s.file, s.final = f, ""
			return s, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		s.mode = info.Mode().Perm()
	}
	var err error
	for range 100 {
		beside := filepath.Join(filepath.Dir(final), fmt.Sprintf(".%s.%08x", filepath.Base(final), rand.Uint32()))
		s.file, err = os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return s, err
}

// write writes the report by the function and puts it into its place.
func (s *sink) write(report func(io.Writer) error) error {
	err := report(s.file)
	if err == nil && s.mode != 0 {
		err = s.file.Chmod(s.mode)
	}
	if closed := s.file.Close(); err == nil {
		err = closed
	}
	if s.final != "" && err == nil {
		err = os.Rename(s.file.Name(), s.final)
	}
	if err != nil {
		s.discard()
		return fmt.Errorf("--report %s=%s: %w", s.format.Name, s.path, bare(err))
	}
	return nil
}

// discard leaves no trace of a report that is not written.
func (s *sink) discard() {
	// Closing twice or removing what is gone are errors that change nothing.
	_ = s.file.Close()
	if s.final != "" {
		_ = os.Remove(s.file.Name())
	}
}
