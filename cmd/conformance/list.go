package main

import (
	"context"

	"plantstore/conformance"
	"plantstore/conformance/formats"
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
