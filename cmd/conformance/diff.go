package main

import (
	"context"
	"errors"
	"strings"

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
