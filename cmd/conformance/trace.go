package main

import (
	"bufio"
	"fmt"
	"os"
)

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
