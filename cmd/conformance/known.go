package main

import (
	"context"

	"plantstore/conformance/formats"
)

// knownOptions are the arguments of known-failures.
type knownOptions struct {
	Report string `arg:"" name:"report" help:"Report of a run, written with --report json=FILE."`
}

// newKnown makes the function of the command known-failures.
func newKnown(sys system) func(context.Context, knownOptions) error {
	return func(ctx context.Context, o knownOptions) error {
		return leaving(ctx, func() error { return known(sys, o) })
	}
}

// known prints a file of known failures.
func known(sys system, o knownOptions) error {
	r, err := readReport(o.Report)
	if err != nil {
		return err
	}
	return formats.KnownFailuresYAML(sys.stdout, r)
}
