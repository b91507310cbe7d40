package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"plantstore/conformance"
)

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
