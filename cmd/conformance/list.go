package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/internal/fetch"
	"plantstore/internal/nearest"
)

// listOptions are the flags of list.
type listOptions struct {
	Document documentOptions `embed:""`
	Format   string          `group:"output" enum:"text,json,markdown" default:"text" help:"Output format: text, json or markdown (default text)."`
	Markdown bool            `group:"output" help:"Print the requirements as a page, as --format markdown does."`
	Coverage bool            `group:"output" help:"Instead, print the valid and invalid values that are generated for each schema keyword."`
	NoColor  bool            `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

func list(ctx context.Context, sys system, o listOptions) error {
	if o.Markdown {
		if o.Format == "json" {
			return usagef("use only one of them", "--markdown and --format json are both set")
		}
		o.Format = "markdown"
	}
	if o.Coverage {
		return coverage(sys, o)
	}
	var c conformance.Config
	if err := o.Document.apply(&c); err != nil {
		return err
	}
	l, err := sys.engine.list(ctx, c)
	switch {
	case err != nil:
		return err
	case o.Format == "json":
		return formats.ListingJSON(sys.stdout, l)
	case o.Format == "markdown":
		return formats.ListingMarkdown(sys.stdout, l)
	default:
		return formats.ListingText(sys.stdout, l, textOptions(sys.stdout, o.NoColor, sys.getenv))
	}
}

// coverage prints what the suite generates, whatever the document.
func coverage(sys system, o listOptions) error {
	if o.Document.given() {
		return usagef("remove --spec, --allow-ref, --requirements, --value and --values", "--coverage describes the suite, not a document")
	}
	c, err := sys.engine.coverage()
	switch {
	case err != nil:
		return err
	case o.Format == "json":
		return formats.CoverageJSON(sys.stdout, c)
	default:
		return formats.CoverageMarkdown(sys.stdout, c)
	}
}

// explainOptions are the flags of explain.
type explainOptions struct {
	ID       string          `arg:"" name:"id" help:"Id of a requirement, as in conformance list, or of a class or a case, as in a report."`
	Document documentOptions `embed:""`
	NoColor  bool            `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

func explain(ctx context.Context, sys system, o explainOptions) error {
	var c conformance.Config
	if err := o.Document.apply(&c); err != nil {
		return err
	}
	e, err := sys.engine.explain(ctx, c, o.ID)
	if err != nil {
		return err
	}
	return formats.ExplanationText(sys.stdout, e, textOptions(sys.stdout, o.NoColor, sys.getenv))
}

// initOptions are the flags of init.
type initOptions struct {
	Target *string `placeholder:"URL" help:"Base URL of the server."`
	Spec   *string `placeholder:"FILE|URL" help:"OpenAPI document (default: the plant store)."`
	Output string  `placeholder:"FILE" default:"conformance.yaml" help:"File to write (default conformance.yaml)."`
	Force  bool    `help:"Replace the file if it exists."`
}

// start writes a settings file. It reads the document first, and refuses one that no run
// can read.
func start(ctx context.Context, sys system, o initOptions) error {
	var c conformance.Config
	s := settings.Start{}
	if o.Spec != nil {
		s.Spec = *o.Spec
	}
	if o.Target != nil {
		s.Target = *o.Target
	}
	if credential("target", s.Target) || credential("spec", s.Spec) {
		return usagef("give the address without it", "a credential does not belong in a settings file")
	}
	if err := (documentOptions{contractOptions: contractOptions{Spec: o.Spec}}).apply(&c); err != nil {
		return err
	}
	l, err := sys.engine.list(ctx, c)
	if err != nil {
		return err
	}
	s.Document, s.Servers = l.Document, l.Servers
	if s.Spec != "" && !filepath.IsAbs(s.Spec) && !fetch.IsAddress(s.Spec) {
		// Paths in the file are relative to its folder.
		if moved, err := filepath.Rel(filepath.Dir(o.Output), s.Spec); err == nil {
			s.Spec = moved
		}
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if o.Force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	// Other people of the project read it, and it holds no secret.
	f, err := os.OpenFile(o.Output, flags, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usagef("add --force to replace it, or give another name with --output", "%s: the file exists", o.Output)
	case err != nil:
		return usagef("give a path that can be written", "--output %s: %v", o.Output, bare(err))
	}
	_, err = f.WriteString(s.Text())
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("--output %s: %w", o.Output, bare(err))
	}
	_, err = fmt.Fprintf(sys.stdout, "wrote %s: check it with conformance run --print-config\n", o.Output)
	return err
}

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
