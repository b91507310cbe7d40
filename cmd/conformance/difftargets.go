package main

import (
	"context"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

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
