package main

import (
	"context"

	"plantstore/conformance"
)

// sendOptions are the flags of every command that sends requests.
type sendOptions struct {
	Aim      targetOptions   `embed:""`
	Document documentOptions `embed:""`
}

// apply puts the options into the configuration. The error is a *usageError.
func (o sendOptions) apply(c *conformance.Config, getenv func(string) string) error {
	if err := o.Aim.apply(c, getenv); err != nil {
		return err
	}
	return o.Document.apply(c)
}

// waiting shows on a terminal what a command waits for, until the bar ends.
func waiting(sys system, c *conformance.Config) *bar {
	line := newBar(sys.stderr)
	if sys.stderr.terminal {
		c.Waits = line.wait
	}
	return line
}

// start prints warnings, and starts the embedded reference server where no
// target is given. The function it returns stops it.
func (o sendOptions) start(ctx context.Context, sys system, c *conformance.Config) (stop func(), err error) {
	warn(sys.stderr, c)
	return o.Aim.reach(ctx, c, sys.engine)
}
