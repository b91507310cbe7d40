// Command mutants measures what the tests hold: it breaks the suite in one place
// at a time and reports whether the tests of that package notice.
//
//	go run ./testdata/mutants [--list] [--package PACKAGE] [NAME...]
//
// The working tree stays as it is: each mutant is compiled from a temporary
// directory (go test -overlay). The exit code is 0 if every mutant died, 1 if one
// survived, and 2 if one could not be tried.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"time"
)

// options are the flags and arguments of the program.
type options struct {
	list    bool
	pkg     string
	timeout time.Duration
	names   []string
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the program and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	all, err := packages()
	if err != nil {
		fmt.Fprintln(stderr, "mutants:", err)
		return 2
	}
	chosen, err := choose(all, o)
	if err != nil {
		fmt.Fprintln(stderr, "mutants:", err)
		return 2
	}
	if o.list {
		for _, m := range chosen {
			fmt.Fprintf(stdout, "%-10s %-34s %s\n", path.Base(m.dir), m.Name, m.Why)
		}
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survive, err := tryAll(ctx, chosen, o.timeout, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "mutants:", err)
		return 2
	case survive > 0:
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("mutants", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.list, "list", false, "list the mutants and exit")
	f.StringVar(&o.pkg, "package", "", "try only the mutants of this `package`, such as pace")
	f.DurationVar(&o.timeout, "timeout", 2*time.Minute, "how long the tests of a mutant may take; longer counts as noticed")
	err := f.Parse(args)
	o.names = f.Args()
	return o, err
}

// placed is a mutant with its package.
type placed struct {
	mutant
	dir string
}

// choose selects the mutants to try, in the order of the list.
func choose(all []mutated, o options) ([]placed, error) {
	var out []placed
	found := map[string]bool{}
	for _, p := range all {
		for _, m := range p.mutants {
			named := len(o.names) == 0 || slices.Contains(o.names, m.Name)
			if !named || o.pkg != "" && o.pkg != path.Base(p.dir) {
				continue
			}
			found[m.Name] = true
			out = append(out, placed{m, p.dir})
		}
	}
	for _, name := range o.names {
		if !found[name] {
			return nil, fmt.Errorf("no mutant is called %s: see --list", name)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("package %s has no mutants: see --list", o.pkg)
	}
	return out, nil
}
