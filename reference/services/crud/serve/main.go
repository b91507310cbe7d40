// Command serve serves package crud by hand. It prints the address and what the
// service accepts, and ends with an interrupt.
//
//	go run ./reference/services/crud/serve [--addr HOST:PORT] [--fault NAME] [--variant NAME] [--list]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"plantstore/reference/services/crud"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run executes the program and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	fault := flags.String("fault", "", "break the document in one way; see --list")
	variant := flags.String("variant", "", "keep the document in an unusual way; see --list")
	list := flags.Bool("list", false, "list faults and variants and exit")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *list {
		for _, f := range crud.Faults() {
			fmt.Fprintf(stdout, "fault    %-26s %s (%s)\n", f.Name, f.Breaks, f.Clause)
		}
		for _, f := range crud.Unjudged() {
			fmt.Fprintf(stdout, "unjudged %-26s %s (%s)\n", f.Name, f.Breaks, f.Clause)
		}
		for _, v := range crud.Variants() {
			fmt.Fprintf(stdout, "variant  %-26s %s\n", v.Name, v.Doc)
		}
		return 0
	}
	var opts []crud.Option
	if *fault != "" {
		f, found := crud.FindFault(*fault)
		if !found {
			fmt.Fprintf(stderr, "serve: no fault %q; --list shows them\n", *fault)
			return 2
		}
		opts = append(opts, crud.WithFault(f))
	}
	if *variant != "" {
		v, found := crud.FindVariant(*variant)
		if !found {
			fmt.Fprintf(stderr, "serve: no variant %q; --list shows them\n", *variant)
			return 2
		}
		opts = append(opts, crud.WithVariant(v))
	}
	s, err := crud.Start(*addr, opts...)
	if err != nil {
		fmt.Fprintln(stderr, "serve:", err)
		return 1
	}
	c := crud.DefaultCredentials()
	fmt.Fprintf(stdout, "%s\nAuthorization: Bearer %s\nX-Desk-Key: %s\n?api_key=%s\n", s.URL, c.Bearer, c.DeskKey, c.QueryKey)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	_ = s.Close()
	return 0
}
