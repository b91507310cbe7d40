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
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"
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
