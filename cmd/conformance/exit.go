package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

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
