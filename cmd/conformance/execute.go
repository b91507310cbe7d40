package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

// stream is a place to print to.
type stream struct {
	io.Writer
	// terminal reports whether a person reads it as it comes; width is then the
	// number of columns.
	terminal bool
	width    int
}

// system is everything a command takes from outside, so that tests can give
// their own.
type system struct {
	stdout, stderr stream
	getenv         func(string) string
	environ        func() []string        // NAME=VALUE
	folder         func() (string, error) // the working folder
	engine         engine
	watcher        *watcher // of run --watch
}

// engine are the functions that do the work behind the flags.
type engine struct {
	run           func(context.Context, conformance.Config) (*report.Report, error)
	list          func(context.Context, conformance.Config) (*report.Listing, error)
	coverage      func() (*report.Coverage, error)
	explain       func(context.Context, conformance.Config, string) (*report.Explanation, error)
	reach         func(context.Context, conformance.Config) (*report.Reach, error)
	propose       func(context.Context, conformance.Config) (*report.Proposals, error)
	replay        func(context.Context, conformance.Config, string) (*report.Transcript, error)
	replayFailure func(context.Context, conformance.Config, *report.Report, int, bool) (*report.Transcript, error)
	replayReport  func(context.Context, conformance.Config, *report.Report, string, func(report.Replayed)) (*report.Replay, error)
	diffTargets   func(context.Context, conformance.Config, string, string) (*report.TargetDiff, error)
	reference     func(io.Writer) (*proof.Server, error)
}

// process is the system of a real process.
func process() system {
	return system{
		stdout:  file(os.Stdout),
		stderr:  file(os.Stderr),
		getenv:  os.Getenv,
		environ: os.Environ,
		folder:  os.Getwd,
		engine: engine{
			run:           conformance.Run,
			list:          conformance.List,
			coverage:      conformance.Coverage,
			explain:       conformance.Explain,
			reach:         conformance.Reach,
			propose:       conformance.Propose,
			replay:        conformance.Replay,
			replayFailure: conformance.ReplayFailure,
			replayReport:  conformance.ReplayReport,
			diffTargets:   conformance.DiffTargets,
			reference:     proof.StartReference,
		},
	}
}

func file(f *os.File) stream {
	s := stream{Writer: f, terminal: term.IsTerminal(int(f.Fd()))}
	if s.terminal {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.width = w
		}
	}
	return s
}

// execute runs one command line to its exit code.
func execute(args []string, sys system) exitCode {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	// The first signal ends the run in order, with a report; after it, a second
	// one kills as usual.
	context.AfterFunc(ctx, stop)
	// A reader that goes away must not take the report files with it: writing
	// to it is an error like any other.
	signal.Ignore(syscall.SIGPIPE)
	return executeIn(ctx, args, sys)
}

// endings are the signals that end a command in order. One that hangs up is
// left alone where nohup says so.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// executeIn is execute without the signals.
func executeIn(ctx context.Context, args []string, sys system) exitCode {
	sys.watcher = &watcher{}
	return sys.watcher.again(ctx, sys.stderr, func() exitCode { return executeOnce(ctx, args, sys) })
}

// executeOnce runs a command line once, and prints its errors.
func executeOnce(ctx context.Context, args []string, sys system) exitCode {
	err := guarded(func() error { return dispatch(ctx, args, sys) })
	for _, line := range complain(err) {
		// There is nobody left to tell when standard error is closed.
		_, _ = fmt.Fprintln(sys.stderr, line)
	}
	return codeOf(err)
}
