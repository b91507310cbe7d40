package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// reachOptions are the flags of reach.
type reachOptions struct {
	Send       sendOptions      `embed:""`
	Operations operationOptions `embed:"" group:"cases"`
	Format     string           `group:"output" enum:"text,json" default:"text" help:"Output format: text or json (default text)."`
	Write      *string          `group:"output" placeholder:"FILE" help:"Write a values file to edit: what was found, and as comments what is to be filled in. The file must not exist."`
	MaxTime    duration         `group:"pace" placeholder:"TIME" help:"Time limit (default 5m)."`
	Rate       rate             `group:"pace" placeholder:"N" help:"Maximum requests per second (default: no limit)."`
	NoColor    bool             `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// operationOptions select operations.
type operationOptions struct {
	Include         []pattern `sep:"none" placeholder:"PATTERN" help:"Try only operations whose operationId, tag, method (POST), path (/users/*) or method and path ('POST /users') matches; * matches any characters. The verdict is then partial. Repeatable."`
	Exclude         []pattern `sep:"none" placeholder:"PATTERN" help:"Leave out operations that match, in the same way. They are still called if another operation needs their result. Repeatable."`
	AllowDisruptive bool      `help:"Send operations too whose names suggest that they stop the service, throw its data away or take a credential (shutdown, reset, logout, a new password), and a DELETE, PUT or PATCH of a whole collection. Without it they are left out, unless --include has the whole name of one."`
}

func (o operationOptions) apply(c *conformance.Config) {
	c.AllowDisruptive = o.AllowDisruptive
	for _, p := range o.Include {
		c.Include = append(c.Include, string(p))
	}
	for _, p := range o.Exclude {
		c.Exclude = append(c.Exclude, string(p))
	}
}

// reach finds out how each operation gets a request that is accepted.
func reach(ctx context.Context, sys system, o reachOptions) error {
	c := conformance.Config{MaxTime: time.Duration(o.MaxTime), Rate: float64(o.Rate)}
	if err := leaving(ctx, func() error { return o.Send.apply(&c, sys.getenv) }); err != nil {
		return err
	}
	o.Operations.apply(&c)
	if err := writable(o.Write); err != nil {
		return err
	}
	stop, err := o.Send.start(ctx, sys, &c)
	if err != nil {
		return err
	}
	defer stop()
	line := waiting(sys, &c)
	r, err := sys.engine.reach(ctx, c)
	line.end()
	if err != nil {
		return err
	}
	return errors.Join(writeValues(o.Write, r), printReach(sys, o, r), all(r))
}

// writable refuses a path where no new file can be.
func writable(path *string) error {
	if path == nil {
		return nil
	}
	if _, err := os.Lstat(*path); err == nil {
		return usagef("remove it or give another name", "--write %s: the file exists", *path)
	}
	if _, err := os.Stat(filepath.Dir(*path)); err != nil {
		return usagef("give a path that can be written", "--write %s: %v", *path, bare(err))
	}
	return nil
}

// writeValues writes a values file, and none over another.
func writeValues(path *string, r *report.Reach) error {
	if path == nil {
		return nil
	}
	return writeNew(nil, path, func(w io.Writer) error { return formats.ReachValues(w, r) })
}

func printReach(sys system, o reachOptions, r *report.Reach) error {
	if o.Format == "json" {
		return formats.ReachJSON(sys.stdout, r)
	}
	return formats.ReachText(sys.stdout, r, textOptions(sys.stdout, o.NoColor, sys.getenv))
}

// all is an error unless every operation is reached.
func all(r *report.Reach) error {
	if r.Ended != "" {
		return errIncomplete
	}
	for _, w := range r.Ways {
		if !w.Reached && w.Aside == "" {
			return errIncomplete
		}
	}
	return nil
}

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
