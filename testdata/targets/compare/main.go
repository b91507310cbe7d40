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
//
// With --crud N, the servers are those of package crud: as it is, and one in N of its
// faults and variants. The output is the page testdata/targets/CRUD.md. That takes an
// hour or two; a file keeps each result, and a second call goes on.
//
//	go run ./testdata/targets/compare --crud N --max-examples CASES --results FILE
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
)

// options are the flags of the program.
type options struct {
	name, spec, target, start, token  string
	suite, schemathesis, only, output string
	seed                              uint64
	limit                             time.Duration
	examples                          int
	// oneIn, if not 0, selects one in so many faults and variants of the CRUD service; results
	// is the file that keeps the runs against them.
	oneIn   int
	results string
	// effort is that of the suite, by default the one that it chooses. If strict, what it
	// fails includes what the specification only recommends.
	effort string
	strict bool
	// auth are credentials for the suite. Schemathesis has a config file, and goes
	// onward where it would leave a group of cases at the first failure.
	auth   []string
	config string
	// requirements is a file for the suite, where there is one.
	requirements string
	onward       bool
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
	compare := compare
	if o.oneIn > 0 {
		compare = compareCRUD
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
	f.StringVar(&o.only, "only", "", "run only the tools whose names begin so: conformance or schemathesis")
	f.StringVar(&o.output, "output", "", "also write what both print into this `directory`")
	f.Uint64Var(&o.seed, "seed", 1, "seed of both")
	f.IntVar(&o.examples, "max-examples", 0, "cases that Schemathesis may draw for an operation; 0 means its default")
	f.IntVar(&o.oneIn, "crud", 0, "compare on the CRUD service and one in `N` of its variants and faults")
	f.StringVar(&o.results, "results", "", "`file` that keeps the runs of --crud; runs that it has are not repeated")
	f.DurationVar(&o.limit, "max-time", 10*time.Minute, "how long each may take")
	err := f.Parse(args)
	if err == nil && o.oneIn == 0 && (o.spec == "" || o.target == "") {
		err = fmt.Errorf("give --spec and --target")
		fmt.Fprintln(stderr, "compare:", err)
	}
	if err == nil && o.spec != "" {
		o.spec, err = filepath.Abs(o.spec) // a tool does not run where this program does
	}
	return o, err
}

// compare runs the tools, one after the other.
func compare(ctx context.Context, o options, stdout, stderr io.Writer) error {
	fmt.Fprintln(stdout, "| server | tool | verdict | failed | requests | CPU seconds | seconds |")
	fmt.Fprintln(stdout, "|---|---|---|---|---:|---:|---:|")
	for _, t := range tools(o) {
		if !strings.HasPrefix(t.name, o.only) {
			continue
		}
		r, err := judge(ctx, o, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(stdout, "| %s | %s | %s | %s | %d | %.1f | %.1f |\n", o.name, t.name, r.verdict, cmp.Or(strings.Join(r.failed, ", "), "-"), r.requests, r.cpu.Seconds(), r.took.Seconds())
	}
	return nil
}

// record is a run in the results file, one line each.
type record struct {
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Tool     string   `json:"tool"`
	Verdict  string   `json:"verdict"`
	Failed   []string `json:"failed"`
	Requests int64    `json:"requests"`
	CPU      float64  `json:"cpu_seconds"`
	Seconds  float64  `json:"seconds"`
}

// readRecords reads the results file; without one, nothing was run.
func readRecords(file string) ([]record, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []record
	for line := range bytes.Lines(b) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(out)+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// append adds the record to the results file.
func (r record) append(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	return errors.Join(err, f.Close())
}

// recorded returns the run of a tool against a server.
func recorded(done []record, tool string, s crudServer) (record, bool) {
	i := slices.IndexFunc(done, func(r record) bool { return r.Tool == tool && r.Kind == s.kind && r.Name == s.name })
	if i < 0 {
		return record{}, false
	}
	return done[i], true
}

// fresh lists what a tool failed on a server and not on the service as it is.
func fresh(done []record, tool string, s crudServer) []string {
	failed, _ := recorded(done, tool, s)
	known, _ := recorded(done, tool, asItIs())
	return slices.DeleteFunc(slices.Clone(failed.Failed), func(f string) bool { return slices.Contains(known.Failed, f) })
}
