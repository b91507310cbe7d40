package main

import (
	"time"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/internal/nearest"
)

// knownOptions are the commands below known-failures. Its one command need not be named:
// known-failures REPORT.json is the older form.
type knownOptions struct {
	Write knownWriteOptions `cmd:"" default:"withargs" help:"Turn the failures of a report into a file of known failures, for run --known-failures."`
}

// knownWriteOptions are the arguments of known-failures write.
type knownWriteOptions struct {
	Report string `arg:"" name:"report" help:"Report of a run, written with --report json=FILE."`
}

// known prints a file of known failures.
func known(sys system, o knownOptions) error {
	r, err := readReport(o.Write.Report)
	if err != nil && nearest.Hint(o.Write.Report, []string{"write"}) != "" {
		return noKnownCommand(o.Write.Report)
	}
	if err != nil {
		return err
	}
	return formats.KnownFailuresYAML(sys.stdout, r)
}

// noKnownCommand is the error for a word that is nearly write.
func noKnownCommand(word string) error {
	return usagef(nearest.Hint(word, []string{"write"}), "known-failures has no command %s", word)
}

// knownFailures reads the file of known failures into the configuration. The error is a
// *usageError.
func knownFailures(c *conformance.Config, path *string, now time.Time) (err error) {
	if path == nil {
		return nil
	}
	c.KnownFailuresName, c.Today = *path, now.UTC()
	c.KnownFailures, err = read("--known-failures", *path, "give a file of known failures, or make one with conformance known-failures write REPORT.json")
	return err
}
