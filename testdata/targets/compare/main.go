// Command compare runs this suite and Schemathesis against one server and prints a
// row of a Markdown table for each: what failed, the requests that the server
// answered, and the CPU time.
//
//	go run ./testdata/targets/compare --spec FILE --target URL [--start COMMAND] [--token TOKEN]
//
// With --start, the server is started anew for each of them, so that neither finds
// what the other one stored. The command is ended when both are done. Schemathesis
// is the program st, or the one that --schemathesis names; to install it:
//
//	python3 -m venv DIRECTORY && DIRECTORY/bin/pip install schemathesis==4.32.5
//
// Both have all their checks and the same seed. The exit code is 0 if both ran, and
// 2 if one did not.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the flags of the program.
type options struct {
	name, spec, target, start, token  string
	suite, schemathesis, only, output string
	seed                              uint64
	limit                             time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the program and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	if err := compare(ctx, o, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "compare:", err)
		return 2
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.name, "name", "", "what the rows are called, such as the name of a fault")
	f.StringVar(&o.spec, "spec", "", "the OpenAPI document, a `file`")
	f.StringVar(&o.target, "target", "", "base `URL` of the server")
	f.StringVar(&o.start, "start", "", "`command` that starts the server")
	f.StringVar(&o.token, "token", "", "bearer token that the server accepts")
	f.StringVar(&o.suite, "conformance", "bin/conformance", "`program` of this suite")
	f.StringVar(&o.schemathesis, "schemathesis", "st", "`program` of Schemathesis")
	f.StringVar(&o.only, "only", "", "run only conformance or schemathesis")
	f.StringVar(&o.output, "output", "", "also write what both print into this `directory`")
	f.Uint64Var(&o.seed, "seed", 1, "seed of both")
	f.DurationVar(&o.limit, "max-time", 10*time.Minute, "how long each may take")
	err := f.Parse(args)
	if err == nil && (o.spec == "" || o.target == "") {
		err = fmt.Errorf("give --spec and --target")
		fmt.Fprintln(stderr, "compare:", err)
	}
	return o, err
}

// compare runs the tools, one after the other.
func compare(ctx context.Context, o options, stdout, stderr io.Writer) error {
	fmt.Fprintln(stdout, "| server | tool | verdict | failed | requests | CPU seconds | seconds |")
	fmt.Fprintln(stdout, "|---|---|---|---|---:|---:|---:|")
	for _, t := range tools(o) {
		if o.only != "" && o.only != t.name {
			continue
		}
		r, err := judge(ctx, o, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(stdout, "| %s | %s | %s | %s | %d | %.1f | %.1f |\n", o.name, t.name, r.verdict, r.failed, r.requests, r.cpu.Seconds(), r.took.Seconds())
	}
	return nil
}
