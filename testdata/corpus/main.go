// Command corpus measures the reach of the suite: it reads public OpenAPI
// documents, one after the other, and counts the operations that are tried.
//
//	go run ./testdata/corpus --dir DIRECTORY [--time 60s] [--memory MIB] [--reasons FILE] [NAME...]
//
// The directory has the documents that documents.txt lists. Each is read in a
// process of its own, with limits, so that none can harm the rest. Without names,
// the result goes to testdata/corpus.md, otherwise to standard output. The exit
// code is 0 if every document was measured, even if it did not load, and 2 if a
// document is missing or is not the one that was listed.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"plantstore/conformance"
)

//go:embed documents.txt
var list string

// options are the flags and arguments of the program.
type options struct {
	dir, out, reasons string
	limit             time.Duration
	memory            int
	child             string
	names             []string
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
	if o.child != "" {
		err = asChild(o, stdout)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		err = measureAll(ctx, o, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "corpus:", err)
		return 2
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("corpus", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.dir, "dir", "", "the `directory` of the documents")
	f.StringVar(&o.out, "out", "testdata/corpus.md", "where to write the result")
	f.StringVar(&o.reasons, "reasons", "", "also write every reason, with all its documents, to this `file`")
	f.DurationVar(&o.limit, "time", time.Minute, "CPU time that one document may take")
	f.IntVar(&o.memory, "memory", 3072, "memory that one document may take, in MiB")
	f.StringVar(&o.child, "child", "", "used by the program itself: count or list")
	err := f.Parse(args)
	o.names = f.Args()
	return o, err
}

// measureAll measures the documents and writes the result.
func measureAll(ctx context.Context, o options, stdout, stderr io.Writer) error {
	documents, err := readList(list)
	if err != nil {
		return err
	}
	for _, name := range o.names {
		if !slices.ContainsFunc(documents, func(d document) bool { return d.name == name }) {
			return fmt.Errorf("%s is not in documents.txt: name a document of the list", name)
		}
	}
	var done []measured
	for _, d := range documents {
		if len(o.names) > 0 && !slices.Contains(o.names, d.name) {
			continue
		}
		if err := d.check(o.dir); err != nil {
			return err
		}
		m, err := measure(ctx, o, d)
		if err != nil {
			return err
		}
		done = append(done, m)
		fmt.Fprintln(stderr, m.row())
	}
	if o.reasons != "" {
		var b bytes.Buffer
		writeAll(&b, done)
		if err := os.WriteFile(o.reasons, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	write(&b, done)
	if len(o.names) > 0 {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(o.out, b.Bytes(), 0o644)
}

// asChild does the work of one process: it counts the operations of a document,
// or asks the suite which of them it tries. Each line of its output has a key and
// a value.
func asChild(o options, stdout io.Writer) error {
	// The runtime reserves more addresses than it uses: the limit is on data.
	most := uint64(o.memory) << 20
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		return err
	}
	seconds := uint64(o.limit.Seconds())
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return err
	}
	name := o.names[0]
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if o.child == "count" {
		version, n, err := count(b)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "version %s\noperations %d\n", version, n)
		return nil
	}
	l, err := conformance.Operations(context.Background(), conformance.Config{Spec: b, SpecName: name})
	var setup *conformance.SetupError
	switch {
	case errors.As(err, &setup):
		fmt.Fprintf(stdout, "error %s\n", oneLine(strings.ReplaceAll(err.Error(), name, "document")))
		return nil
	case err != nil:
		return err
	}
	fmt.Fprintf(stdout, "tried %d\n", len(l.Tried))
	for _, why := range l.LeftOut {
		fmt.Fprintf(stdout, "left %s\n", oneLine(why))
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// document is a line of documents.txt.
type document struct{ name, source, path, digest string }

// readList reads documents.txt.
func readList(text string) ([]document, error) {
	var out []document
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
			continue
		case len(f) != 4:
			return nil, fmt.Errorf("documents.txt: %q: want a name, a source, a path and a digest", strings.TrimSpace(line))
		}
		out = append(out, document{f[0], f[1], f[2], f[3]})
	}
	return out, nil
}

// check refuses a document that is not the one of the list.
func (d document) check(dir string) error {
	b, err := os.ReadFile(filepath.Join(dir, d.name))
	if err != nil {
		return fmt.Errorf("%s is missing: fetch %s of %s into the directory of --dir", d.name, d.path, d.source)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != d.digest {
		return fmt.Errorf("%s is not the listed document: fetch %s of %s again", d.name, d.path, d.source)
	}
	return nil
}
