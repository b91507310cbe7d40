package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// exitCode is what the process tells its caller.
type exitCode int

// The exit codes. They are a promise to every CI that runs the suite.
const (
	exitConformant    exitCode = 0
	exitNotConformant exitCode = 1
	exitUsage         exitCode = 2
	exitIncomplete    exitCode = 3
	exitBug           exitCode = 4
)

// The verdicts as errors. The report told them already, so they are not printed.
var (
	errNotConformant = errors.New("the target is not conformant")
	errIncomplete    = errors.New("the run is incomplete")
	errOwnFault      = errors.New("the suite has a bug")
)

// usageError is a mistake on the command line or in what it names, with a hint.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what + ": " + e.hint }

func usagef(hint, what string, args ...any) error {
	return &usageError{what: fmt.Sprintf(what, args...), hint: hint}
}

// codeOf is the one place where kinds of errors become exit codes. A target
// that was seen to fail stays failed, whatever else went wrong.
func codeOf(err error) exitCode {
	var usage *usageError
	var setup *conformance.SetupError
	var bug *bugError
	switch {
	case err == nil:
		return exitConformant
	case errors.Is(err, errNotConformant):
		return exitNotConformant
	case errors.As(err, &bug), errors.Is(err, errOwnFault):
		return exitBug
	case errors.As(err, &usage), errors.As(err, &setup):
		return exitUsage
	default:
		return exitIncomplete
	}
}

// outcome turns the verdict of a run into an error.
func outcome(s *report.Summary) error {
	if s.OwnFault() {
		return errOwnFault
	}
	switch s.Verdict {
	case report.Conformant, report.OnlyKnown, report.PassedOver:
		return nil
	case report.NotConformant, report.OutOfDate:
		return errNotConformant
	default:
		return errIncomplete
	}
}

// complain gives the lines for standard error, one for each error that the
// report does not show.
func complain(err error) []string {
	if err == nil || err == errNotConformant || err == errIncomplete || err == errOwnFault {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, e := range joined.Unwrap() {
			lines = append(lines, complain(e)...)
		}
		return lines
	}
	text := err.Error()
	if path := (*fs.PathError)(nil); errors.As(err, &path) && path.Path == os.Stdout.Name() {
		text = "standard output: " + path.Err.Error()
	}
	return []string{"conformance: " + formats.Escape(text)}
}

// bugError is a fault of the suite itself and the place of it.
type bugError struct{ what, where string }

func (e *bugError) Error() string {
	return fmt.Sprintf("a bug in this suite, not in your server or document: %s at %s: please report this line with the version, "+
		"the command and the document (see Report a bug in README.md)", e.what, e.where)
}

// guarded calls a command and turns a panic of it into a *bugError. Those of
// other goroutines arrive here too: who waits for one hands its panic on.
func guarded(command func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = bugOf(value, debug.Stack())
		}
	}()
	return command()
}

// bugOf words a panic. Only the text of a run-time error is shown: any other
// value may hold something of a document or a token.
func bugOf(value any, stack []byte) *bugError {
	if known, ok := value.(*bugError); ok {
		return known // handed on from another goroutine
	}
	if p, ok := value.(interface {
		Origin() (value any, stack []byte)
	}); ok {
		value, stack = p.Origin()
	}
	what := fmt.Sprintf("panic with a %T", value)
	if e, ok := value.(runtime.Error); ok {
		what = e.Error()
	}
	return &bugError{what: what, where: placeIn(stack)}
}

// placeIn finds in a stack the first function of ours behind the panic.
func placeIn(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	from := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") {
			from = i
		}
	}
	for i := from; i+1 < len(lines); i++ {
		if strings.HasPrefix(lines[i], "plantstore/") || strings.HasPrefix(lines[i], "main.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			return path.Base(path.Dir(file)) + "/" + path.Base(file)
		}
	}
	return "an unknown place"
}

// errLeft is the end of a command by a signal before it judged anything.
var errLeft = errors.New("interrupted: nothing was judged")

// leaving calls a function that holds nothing which must be put in order, and
// leaves it where it is when the context ends: a huge document or a file that
// never ends keeps nobody waiting. A panic goes on in the caller.
func leaving(ctx context.Context, f func() error) error {
	var cause *bugError
	done := make(chan error, 1)
	go func() {
		completed := false
		defer func() {
			if !completed {
				cause = bugOf(recover(), debug.Stack())
				close(done)
			}
		}()
		err := f()
		completed = true
		done <- err
	}()
	select {
	case err, ok := <-done:
		if !ok {
			panic(cause)
		}
		return err
	case <-ctx.Done():
		return errLeft
	}
}
