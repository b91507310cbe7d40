package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/reference"
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
