package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// proposeOptions are the flags of propose.
type proposeOptions struct {
	Send       sendOptions      `embed:""`
	Operations operationOptions `embed:"" group:"cases"`
	Format     string           `group:"output" enum:"text,json" default:"text" help:"Output format: text, which is a requirements file, or json (default text)."`
	Write      *string          `group:"output" placeholder:"FILE" help:"Write to a file instead of standard output. The file must not exist."`
	MaxTime    duration         `group:"pace" placeholder:"TIME" help:"Time limit (default 5m)."`
	Rate       rate             `group:"pace" placeholder:"N" help:"Maximum requests per second (default: no limit)."`
}

// propose writes a requirements file to edit.
func propose(ctx context.Context, sys system, o proposeOptions) error {
	c := conformance.Config{MaxTime: time.Duration(o.MaxTime), Rate: float64(o.Rate)}
	if err := leaving(ctx, func() error { return o.Send.apply(&c, sys.getenv) }); err != nil {
		return err
	}
	switch {
	case len(c.Spec) == 0:
		return usagef("give the OpenAPI document with --spec", "propose has no document")
	case len(c.Requirements) > 0:
		return usagef("leave it out, and copy lines from one file to the other", "--requirements: propose writes such a file")
	}
	o.Operations.apply(&c)
	if err := writable(o.Write); err != nil {
		return err
	}
	if o.Send.Aim.own() {
		warn(sys.stderr, &c)
	}
	line := waiting(sys, &c)
	p, err := sys.engine.propose(ctx, c)
	line.end()
	if err != nil {
		return err
	}
	print := formats.Proposals
	if o.Format == "json" {
		print = formats.ProposalsJSON
	}
	if err := writeNew(sys.stdout, o.Write, func(w io.Writer) error { return print(w, p) }); err != nil {
		return err
	}
	if ctx.Err() != nil || o.Send.Aim.own() && len(p.Lines) > 0 && !slices.ContainsFunc(p.Lines, report.Proposal.Shown) {
		return errIncomplete
	}
	return nil
}

// writeNew prints to a new file, or to standard output if no path is given.
func writeNew(stdout io.Writer, path *string, print func(io.Writer) error) error {
	if path == nil {
		return print(stdout)
	}
	var text bytes.Buffer
	if err := print(&text); err != nil {
		return err
	}
	f, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return usagef("give a path that can be written", "--write %s: %v", *path, bare(err))
	}
	_, err = f.Write(text.Bytes())
	return errors.Join(err, f.Close())
}
