package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// printer writes the reports of one run.
type printer struct {
	human   stream // where the text goes
	machine io.Writer
	stdout  *output         // a report that takes standard output
	live    *formats.Stream // writes it while the run goes on; nil in other forms
	stderr  io.Writer
	summary string // the file of the job summary; empty for none
	sinks   []*sink
	options formats.Options
	bar     *bar
	quiet   bool  // the verdict line alone
	lost    error // the first error of writing the header
}

func newPrinter(sys system, o runOptions) *printer {
	p := &printer{human: sys.stdout, machine: sys.stdout, bar: newBar(sys.stderr), stderr: sys.stderr, summary: sys.getenv(summaryVariable), quiet: o.Quiet}
	for _, out := range o.Report {
		if out.path == "-" && out.format.Name != "text" {
			p.human, p.stdout = sys.stderr, &out
		}
	}
	p.options = textOptions(p.human, o.NoColor, sys.getenv)
	p.options.FailOn, p.options.Verbose = report.Gate(o.FailOn), o.Verbose
	return p
}

// open proves that every report file can be written.
func (p *printer) open(list []output) error {
	for _, out := range list {
		if out.path == "-" {
			continue
		}
		s, err := openSink(out)
		if err != nil {
			return err
		}
		p.sinks = append(p.sinks, s)
	}
	return nil
}

// started prints the first line as soon as there is one, and begins the reports that are
// written while the run goes on.
func (p *printer) started(h report.Header) {
	if p.stdout != nil && p.stdout.format.Live != nil {
		p.live = p.stdout.format.Live(p.machine)
	}
	for _, s := range p.sinks {
		s.begin()
	}
	p.each(func(s *formats.Stream) { s.Started(conformance.Tool, h) })
	if p.quiet {
		return
	}
	p.bar.clear()
	p.options.HeaderPrinted = true
	p.lost = formats.HeaderText(p.human, h, p.options)
}

// each calls a function with the reports that are written while the run goes on.
func (p *printer) each(f func(*formats.Stream)) {
	if p.live != nil {
		f(p.live)
	}
	for _, s := range p.sinks {
		if s.live != nil {
			f(s.live.stream)
		}
	}
}

// events lets the run tell what happens, as far as anybody reads it before the end.
func (p *printer) events(c *conformance.Config, list []output, verbose bool) {
	live := slices.ContainsFunc(list, func(o output) bool { return o.format.Live != nil })
	c.Progress = p.progress
	if live {
		c.Failing = func(r report.Result, caseID string) {
			p.each(func(s *formats.Stream) { s.Failing(r, caseID) })
		}
	}
	if live || verbose {
		c.Confirmed = func(r report.Result, f report.Failure) {
			p.each(func(s *formats.Stream) { s.Confirmed(r, f) })
			if verbose {
				p.confirmed(r, f)
			}
		}
	}
}

func (p *printer) progress(done, planned, failed int) {
	p.each(func(s *formats.Stream) { s.Progress(done, planned, failed) })
	if !p.quiet {
		p.bar.show(done, planned, failed)
	}
}

// confirmed prints a failure in one line, before the report shows it in full.
func (p *printer) confirmed(r report.Result, f report.Failure) {
	p.bar.clear()
	if _, err := fmt.Fprintln(p.human, formats.ConfirmedLine(r, f, p.options)); p.lost == nil {
		p.lost = err
	}
}

// triedFirst says at once what became of a failure of the last run.
func (p *printer) triedFirst(x report.TriedFirst) {
	p.bar.clear()
	if _, err := fmt.Fprintln(p.human, formats.TriedFirstLine(x)); p.lost == nil {
		p.lost = err
	}
}

func (p *printer) progressEnds() { p.bar.end() }

// finish writes every report, files first: they must be there even when nobody
// reads the text any more.
func (p *printer) finish(r *report.Report) error {
	p.progressEnds()
	var errs []error
	info, _ := debug.ReadBuildInfo()
	plain := formats.Options{FailOn: p.options.FailOn, Repository: p.options.Repository, Build: build(info)}
	for _, s := range p.sinks {
		if s.live != nil {
			errs = append(errs, s.end(r))
			continue
		}
		errs = append(errs, s.write(func(w io.Writer) error { return s.format.Write(w, r, plain) }))
	}
	p.sinks = nil
	jobSummary(p.stderr, p.summary, r, plain)
	if p.stdout != nil {
		write := p.stdout.format.Write
		if p.live != nil {
			write = func(_ io.Writer, r *report.Report, _ formats.Options) error { return p.live.End(r) }
		}
		if err := write(p.machine, r, plain); err != nil {
			errs = append(errs, fmt.Errorf("standard output: %w", bare(err)))
		}
	}
	err := p.lost
	switch {
	case err != nil:
	case p.quiet:
		err = formats.VerdictText(p.human, r, p.options)
	default:
		err = formats.Text(p.human, r, p.options)
	}
	if err != nil {
		errs = append(errs, fmt.Errorf("text report: %w", bare(err)))
	}
	return errors.Join(errs...)
}

// discard removes what a run without a report prepared.
func (p *printer) discard() {
	for _, s := range p.sinks {
		s.discard()
	}
}

// readerTimeout is how long the reader of a pipe may take for what is written
// at once; one that never reads would hold a run beyond its time.
const readerTimeout = 20 * time.Second

// patient writes to a file, and waits only so long for the reader of a pipe.
type patient struct {
	file *os.File
	wait time.Duration
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	// Regular files know no deadline, and do not wait either.
	_ = p.file.SetWriteDeadline(time.Now().Add(p.wait))
	n, err := p.file.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("the reader of the pipe does not read")
	}
	return n, err
}
