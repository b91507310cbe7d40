package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// diffOptions are the arguments and flags of diff.
type diffOptions struct {
	Old     *string     `arg:"" optional:"" name:"old-report" help:"Report of the earlier run, written with --report json=FILE."`
	New     *string     `arg:"" optional:"" name:"new-report" help:"Report of the later run."`
	Live    liveOptions `embed:""`
	Across  bool        `group:"document" name:"across-documents" help:"Compare reports about different documents, or versions of one. A requirement that the new document does not have is listed, but does not count."`
	Format  string      `group:"output" enum:"text,json" default:"text" help:"Output format: text or json (default text)."`
	NoColor bool        `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// compare is the command diff: of two reports, or of two targets.
func compare(ctx context.Context, sys system, o diffOptions) error {
	switch {
	case len(o.Live.Targets) > 0 && o.Old != nil:
		return usagef("give two reports, or two targets", "diff compares reports or targets, not both")
	case len(o.Live.Targets) == 0 && o.Old == nil:
		return usagef("give two reports, or --target URL twice", "no report given")
	case len(o.Live.Targets) == 0 && o.New == nil:
		return usagef("give two reports, or --target URL twice", "only one report given")
	case len(o.Live.Targets) == 0:
		return leaving(ctx, func() error { return diff(sys, o) })
	}
	return diffTargets(ctx, sys, o)
}

// diff prints what changed from one report to another.
func diff(sys system, o diffOptions) error {
	old, err := readReport(*o.Old)
	if err != nil {
		return err
	}
	now, err := readReport(*o.New)
	if err != nil {
		return err
	}
	d, err := conformance.Diff(old, now, o.Across)
	var setup *conformance.SetupError
	switch {
	case errors.As(err, &setup):
		return usagef("to compare them by the ids of their requirements, add --across-documents", "%v", err)
	case err != nil:
		return err
	case o.Format == "json":
		err = formats.DiffJSON(sys.stdout, d)
	default:
		err = formats.DiffText(sys.stdout, d, textOptions(sys.stdout, o.NoColor, sys.getenv))
	}
	if err == nil && d.Worse {
		err = errNotConformant
	}
	return err
}

// readReport reads a JSON report. The error is a *usageError.
func readReport(path string) (*report.Report, error) {
	data, err := read("report", path, "write one with --report json="+path)
	if err != nil {
		return nil, err
	}
	r, err := formats.ReadJSON(data)
	if err != nil {
		what, hint, _ := strings.Cut(err.Error(), ": ")
		return nil, usagef(hint, "report %s: %s", path, what)
	}
	return r, nil
}

// liveOptions are the flags of diff about two servers.
type liveOptions struct {
	Targets  []string        `group:"server" name:"target" sep:"none" placeholder:"URL" help:"Run against two servers instead of reading reports, and show where their answers to the same requests differ. Give it twice: A, then B."`
	Seed     seed            `group:"cases" placeholder:"N|random" help:"With --target: seed for all random values (default ${seed})."`
	Draws    draws           `group:"cases" placeholder:"N" help:"With --target: number of random cases per class; 0 for none (default ${draws})."`
	Access   accessOptions   `embed:"" group:"server"`
	Contract contractOptions `embed:"" group:"document"`
}

// diffTargets runs against two servers, and prints where they differ.
func diffTargets(ctx context.Context, sys system, o diffOptions) error {
	if len(o.Live.Targets) != 2 {
		return usagef("give --target URL twice", "diff compares two targets, not %d", len(o.Live.Targets))
	}
	if o.Across {
		return usagef("leave out --across-documents", "both targets are tested against the same document")
	}
	a, b := o.Live.Targets[0], o.Live.Targets[1]
	c := conformance.Config{Seed: uint64(o.Live.Seed), Draws: int(o.Live.Draws)}
	err := leaving(ctx, func() error {
		// The same credentials and limits apply to both.
		return sendOptions{Aim: targetOptions{Target: &a, accessOptions: o.Live.Access},
			Document: documentOptions{contractOptions: o.Live.Contract}}.apply(&c, sys.getenv)
	})
	if err != nil {
		return err
	}
	warn(sys.stderr, &c)
	d, err := sys.engine.diffTargets(ctx, c, a, b)
	if err != nil {
		return err
	}
	if o.Format == "json" {
		err = formats.TargetsJSON(sys.stdout, d)
	} else {
		err = formats.TargetsText(sys.stdout, d, textOptions(sys.stdout, o.NoColor, sys.getenv))
	}
	switch {
	case err != nil:
		return err
	case d.Gates:
		return errNotConformant
	case d.A.Verdict == report.Incomplete || d.B.Verdict == report.Incomplete:
		return errIncomplete // what was not tried may differ
	}
	return nil
}

// mergeOptions are the arguments and flags of merge.
type mergeOptions struct {
	Shards  []string `arg:"" name:"report" help:"Reports of all shards of a plan, written with run --shard I/N --report json=FILE, in any order. A pattern such as shard-*.json stands for the files that match."`
	Known   *string  `name:"known-failures" placeholder:"FILE" help:"File of known failures (YAML), as for run. It is applied to the whole plan."`
	Report  []output `sep:"none" predictor:"report" placeholder:"FORMAT=PATH" help:"Write the merged report as ${formats}. With the path -, it goes to standard output and the text to standard error. Repeatable."`
	Quiet   bool     `short:"q" help:"Print only the line with the verdict."`
	NoColor bool     `help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// mergeShards joins the reports of the shards of a plan, and gives the verdict of the
// whole.
func mergeShards(sys system, o mergeOptions) error {
	var c conformance.Config
	if err := knownFailures(&c, o.Known, time.Now()); err != nil {
		return err
	}
	var list []report.Named
	for _, pattern := range o.Shards {
		files, err := expand(pattern)
		if err != nil {
			return err
		}
		for _, path := range files {
			r, err := readReport(path)
			if err != nil {
				return err
			}
			list = append(list, report.Named{Name: path, Report: r})
		}
	}
	if err := checkOutputs(o.Report); err != nil {
		return err
	}
	r, err := conformance.Merge(list, c)
	if err != nil {
		return err
	}
	p := newPrinter(sys, runOptions{Report: o.Report, Quiet: o.Quiet, NoColor: o.NoColor, FailOn: failOn(r.Header.FailOn)})
	defer p.discard()
	if err := p.open(o.Report); err != nil {
		return err
	}
	return errors.Join(p.finish(r), outcome(&r.Summary))
}
