package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
)

// selftestOptions are the flags of selftest.
type selftestOptions struct {
	Fault    string `placeholder:"PATTERN" help:"Only the faults, variants and hostile targets whose name matches; * stands for any run of characters."`
	Format   string `enum:"text,json,markdown" default:"text" help:"text, json or markdown (default text)."`
	Seed     uint64 `default:"1" help:"Seed of the runs."`
	Parallel int    `default:"2" help:"Servers judged at the same time."`
}

// newSelftest makes the function of the command selftest.
func newSelftest(sys system) func(context.Context, selftestOptions) error {
	return func(ctx context.Context, o selftestOptions) error { return selftest(ctx, sys, o) }
}

// selftest runs the suite against every server that is known to be wrong, oddly
// right or hostile, and prints what it found.
func selftest(ctx context.Context, sys system, o selftestOptions) error {
	keep := func(_ proof.Kind, name string) bool { return o.Fault == "" || match(o.Fault, name) }
	progress := func(proof.Row) {}
	if sys.stderr.terminal {
		n := 0
		progress = func(r proof.Row) {
			n++
			fmt.Fprintf(sys.stderr, "\r\x1b[K%d %s", n, r.Name)
		}
	}
	rows := proof.Table(ctx, keep, conformance.Config{Seed: o.Seed}, o.Parallel, progress)
	if sys.stderr.terminal {
		fmt.Fprint(sys.stderr, "\r\x1b[K")
	}
	if len(rows) == 0 {
		return usagef("see plantstore faults and plantstore variants", "no fault, variant or hostile target matches %q", o.Fault)
	}
	all, err := sys.engine.list(conformance.Config{})
	if err != nil {
		return err
	}
	if o.Fault != "" {
		all = nil
	}
	s := proof.Summarise(rows, all)
	if err := proof.Write(sys.stdout, o.Format, rows, s); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errIncomplete
	case !s.Good() || slices.ContainsFunc(rows, func(r proof.Row) bool { return r.Err != nil }):
		return errNotConformant
	}
	return nil
}

// match tells whether a pattern matches a name; * stands for any run of
// characters.
func match(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	last := len(parts) - 1
	if !strings.HasPrefix(name, parts[0]) || !strings.HasSuffix(name[len(parts[0]):], parts[last]) {
		return false
	}
	name = name[len(parts[0]) : len(name)-len(parts[last])]
	for _, p := range parts[1:last] {
		_, after, ok := strings.Cut(name, p)
		if !ok {
			return false
		}
		name = after
	}
	return true
}
