package main

import (
	"context"

	"plantstore/conformance"
	"plantstore/conformance/formats"
)

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
