package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// selftestOptions are the flags of selftest.
type selftestOptions struct {
	Service  string   `enum:"plantstore,crud" default:"plantstore" help:"Service to test: plantstore, or crud, a service with parameters, forms, files and several credentials (default plantstore)."`
	Fault    string   `placeholder:"PATTERN" help:"Test only servers (faults, variants and hostile servers) whose name matches; * matches any characters."`
	Kind     []string `enum:"fault,variant,hostile" placeholder:"KIND" help:"Test only servers of this kind: fault, variant or hostile. Repeatable."`
	Shard    shard    `placeholder:"I/N" help:"Test only shard I of N, such as 1/4. Servers are assigned by name, so adding one does not move the others."`
	Under    string   `placeholder:"VARIANT" help:"Combine every server with this variant, such as slow or one-connection."`
	Seeds    int      `default:"1" help:"Number of seeds to test each server with, starting at --seed."`
	Format   string   `enum:"text,json,markdown" default:"text" help:"Output format: text, json or markdown (default text)."`
	Seed     uint64   `default:"1" help:"First seed."`
	Parallel int      `default:"2" help:"Number of servers to test at the same time."`
}

// keep reports whether a server is to be judged.
func (o selftestOptions) keep(k proof.Kind, name string) bool {
	return (o.Fault == "" || match(o.Fault, name)) && (len(o.Kind) == 0 || slices.Contains(o.Kind, string(k))) &&
		(o.Shard.of == 0 || proof.Part(k, name, o.Shard.of) == o.Shard.number-1)
}

// catalogue says where the names are listed.
func (o selftestOptions) catalogue() string {
	if o.Service == proof.CRUD {
		return "see go run ./reference/services/crud/serve --list"
	}
	return "see plantstore faults and plantstore variants"
}

// near says what a wrong name may stand for, or where the names are listed.
func (o selftestOptions) near(name string, kinds ...proof.Kind) string {
	var known []string
	for _, r := range proof.Catalogue(o.Service) {
		if len(kinds) == 0 || slices.Contains(kinds, r.Kind) {
			known = append(known, r.Name)
		}
	}
	if slices.Contains(known, name) {
		return o.catalogue() // it is left out for another reason
	}
	return cmp.Or(nearest.Hint(name, known), o.catalogue())
}

// whole reports whether every server is judged. Only then it is known which requirements none of
// them shows, and what each mutator finds alone.
func (o selftestOptions) whole() bool {
	return o.Fault == "" && len(o.Kind) == 0 && o.Shard.of <= 1
}

// selftest runs the suite against every server that is known to be wrong, oddly
// right or hostile, and prints what it found.
func selftest(ctx context.Context, sys system, o selftestOptions) error {
	if o.Seeds < 1 || o.Parallel < 1 {
		return usagef("use numbers above 0", "--seeds %d --parallel %d tests nothing", o.Seeds, o.Parallel)
	}
	generous()
	progress := func(proof.Row) {}
	if sys.stderr.terminal {
		n := 0
		progress = func(r proof.Row) {
			n++
			fmt.Fprintf(sys.stderr, "\r\x1b[K%d %s", n, r.Name)
		}
	}
	rows, err := proof.Table(ctx, proof.Options{Service: o.Service, Keep: o.keep, Config: conformance.Config{Seed: o.Seed}, Seeds: o.Seeds,
		Under: o.Under, Parallel: o.Parallel, Done: progress})
	if sys.stderr.terminal {
		fmt.Fprint(sys.stderr, "\r\x1b[K")
	}
	switch {
	case err != nil:
		return usagef(o.near(o.Under, proof.Variant), "--under: %v", err)
	case ctx.Err() == nil && len(rows) == 0 && o.Shard.of > 0:
		return usagef(o.near(o.Fault), "no server of shard %d/%d matches %q", o.Shard.number, o.Shard.of, cmp.Or(o.Fault, "*"))
	case ctx.Err() == nil && len(rows) == 0:
		return usagef(o.near(o.Fault), "no fault, variant or hostile target matches %q", o.Fault)
	}
	var all, judged *report.Listing
	if o.whole() && ctx.Err() == nil {
		if all, err = sys.engine.list(ctx, proof.Contract(o.Service)); err != nil {
			return err
		}
		if o.Service != proof.CRUD {
			judged = all // most faults of the CRUD service know a clause and no requirement
		}
	}
	s := proof.Summarise(rows, judged)
	if all != nil {
		s.Ablation = proof.Ablate(rows, all)
	}
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

// match reports whether a pattern matches a name; * stands for any run of
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
