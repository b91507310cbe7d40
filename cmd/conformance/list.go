package main

import (
	"plantstore/conformance"
	"plantstore/conformance/formats"
)

// listOptions are the flags of list.
type listOptions struct {
	Document documentOptions `embed:""`
	Format   string          `enum:"text,json" default:"text" help:"text or json (default text)."`
	NoColor  bool            `help:"No colour on a terminal; NO_COLOR does the same."`
}

// newList makes the function of the command list.
func newList(sys system) func(listOptions) error {
	return func(o listOptions) error { return list(sys, o) }
}

func list(sys system, o listOptions) error {
	var c conformance.Config
	if err := o.Document.apply(&c); err != nil {
		return err
	}
	l, err := sys.engine.list(c)
	switch {
	case err != nil:
		return err
	case o.Format == "json":
		return formats.ListingJSON(sys.stdout, l)
	default:
		return formats.ListingText(sys.stdout, l, textOptions(sys.stdout, o.NoColor, sys.getenv))
	}
}
