package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"plantstore/internal/nearest"
	"plantstore/reference"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

// exitCode is what the process ends with.
type exitCode int

const (
	exitOK     exitCode = 0
	exitFailed exitCode = 1 // the server could not start or stopped by itself
	exitUsage  exitCode = 2 // the command line is wrong
)

// usageError is a mistake on the command line.
type usageError struct{ error }

// commands is the command line.
type commands struct {
	Serve    serveCommand    `cmd:"" help:"Run the server."`
	Export   exportCommand   `cmd:"" help:"Write the plants in a data file as JSON, one NewPlant per line."`
	Token    tokenCommand    `cmd:"" help:"Print a random token."`
	Faults   faultsCommand   `cmd:"" help:"List the faults that serve --fault takes."`
	Variants variantsCommand `cmd:"" help:"List the variants that serve --variant takes."`
	Version  versionCommand  `cmd:"" help:"Print the version."`
}

// streams are where a command writes.
type streams struct{ out, err io.Writer }

// run is the whole program but for the process around it.
func run(args []string, stdout, stderr io.Writer) (code exitCode) {
	// Kong calls Exit after it printed help and then goes on, so the way out
	// is a panic of a type of our own.
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case exitCode:
			code = cause
		default:
			panic(cause)
		}
	}()
	parser, err := kong.New(&commands{},
		kong.Name("plantstore"),
		kong.Description("The reference server of the plant store.\n\nExit codes: 0 success, 1 the server failed, 2 invalid command line."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(c int) { panic(exitCode(c)) }),
		kong.Vars{"plants": strconv.Itoa(reference.MaxPlants)},
		kong.Bind(streams{stdout, stderr}),
	)
	if err != nil {
		return report(stderr, err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		return report(stderr, usageError{err})
	}
	return report(stderr, command.Run())
}

// report prints an error as one line and gives its exit code.
func report(stderr io.Writer, err error) exitCode {
	if err == nil {
		return exitOK
	}
	var usage usageError
	if errors.As(err, &usage) {
		text := strings.ReplaceAll(err.Error(), "\n", " ")
		if !strings.Contains(text, "plantstore") {
			text += ` (see "plantstore --help")`
		}
		fmt.Fprintln(stderr, "plantstore:", text)
		return exitUsage
	}
	fmt.Fprintln(stderr, "plantstore:", err)
	return exitFailed
}

type faultsCommand struct{}

// Run lists the faults.
func (faultsCommand) Run(std streams) error {
	rows := [][]string{{"NAME", "BREAKS", "WHAT IT DOES"}}
	for _, f := range faults.List() {
		rows = append(rows, []string{f.Name, f.Breaks, f.Doc})
	}
	return table(std.out, rows)
}

type variantsCommand struct{}

// Run lists the variants.
func (variantsCommand) Run(std streams) error {
	rows := [][]string{{"NAME", "WARNS", "WHAT IT DOES"}}
	for _, v := range variants.List() {
		warns := strings.Join(v.Warns, ",")
		if warns == "" {
			warns = "-"
		}
		rows = append(rows, []string{v.Name, warns, v.Doc})
	}
	return table(std.out, rows)
}

type versionCommand struct{}

// Run prints the version that the binary was built as.
func (versionCommand) Run(std streams) error {
	version, toolchain := "(devel)", "unknown Go"
	if info, ok := debug.ReadBuildInfo(); ok {
		toolchain = info.GoVersion
		if info.Main.Version != "" {
			version = info.Main.Version
		}
	}
	_, err := fmt.Fprintf(std.out, "plantstore %s (%s)\n", version, toolchain)
	return err
}

// table prints rows in aligned columns.
func table(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

// unknown is the error for a name that is not in a catalogue.
func unknown(kind, name string, known []string) error {
	hint := ""
	if near := nearest.Names(name, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? "
	}
	return fmt.Errorf(`unknown %s %q: %s"plantstore %ss" lists them`, kind, name, hint, kind)
}
