package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"

	"golang.org/x/term"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/formats"
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

// textOptions fits a text to the stream it goes to: colour and width are those
// of a terminal, and nothing else gets an escape sequence.
func textOptions(s stream, noColor bool, getenv func(string) string) formats.Options {
	o := formats.Options{Colour: s.terminal && !noColor && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", Repository: inRepository(getenv)}
	if s.terminal && s.width > 0 {
		o.Width = min(max(s.width, 60), 120)
	}
	return o
}

// A run lives beside the server that it judges, so the collector is told to
// keep below a limit. Just above the live data a limit would cost half of the
// processor, so it follows them up to what the work may take.
const (
	heap    = 64 << 20 // bytes, for a run of a few megabytes of live data
	waste   = 400      // percent of the live data, below the limit
	room    = 40 << 20 // bytes beyond twice the live data
	roomy   = 200 << 20
	maximum = 430 << 20 // for the largest document that is read
	// perByte is what each byte of a document takes beyond that: the largest document
	// known, of 12.4 MiB, has 190 MiB of live data when it is listed.
	perByte = 5
	// perCase is what each case beyond the first manyCases takes beyond that, and
	// maxCases bounds what a run of any number of cases may take: the largest document
	// stays within 512 MiB.
	perCase   = 2 << 10
	manyCases = 50_000
	maxCases  = 450 << 20
	// generousHeap and generousWaste are for the self-test.
	generousHeap  = 2 << 30
	generousWaste = 400
)

// ceiling is what the limit may rise to.
var ceiling = new(atomic.Int64)

// frugal makes the collector follow the live data.
func frugal() {
	ceiling.Store(roomy)
	debug.SetMemoryLimit(heap)
	debug.SetGCPercent(waste)
	follow()
}

// roomier raises the ceiling for a document of this size, in bytes.
func roomier(document int) {
	ceiling.Store(min(maximum, roomy+perByte*int64(document)))
}

// busier raises the ceiling for a run of about so many cases, each of which leaves a
// record.
func busier(cases int) {
	if now := ceiling.Load(); cases > manyCases && now != generousHeap {
		ceiling.Store(max(now, min(maxCases, roomy+perCase*int64(cases-manyCases))))
	}
}

// follow sets the limit after each collection. It uses an object without references,
// whose finalizer runs once per collection.
func follow() {
	type mark struct{ _ [16]byte }
	runtime.SetFinalizer(new(mark), func(*mark) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		if live[0].Value.Kind() == metrics.KindUint64 {
			debug.SetMemoryLimit(limitFor(int64(live[0].Value.Uint64()), ceiling.Load()))
		}
		follow()
	})
}

// generous lets the collector rest: for a command that judges hundreds of servers,
// time is dearer than memory.
func generous() {
	ceiling.Store(generousHeap)
	debug.SetMemoryLimit(generousHeap)
	debug.SetGCPercent(generousWaste)
}

// limitFor is the limit for so much live data. Where these need more than the ceiling, the
// collector still has an eighth of them to work with.
func limitFor(live, ceiling int64) int64 {
	if ceiling == generousHeap {
		return ceiling
	}
	return max(heap, min(2*live+room, max(ceiling, live+live/8)))
}
