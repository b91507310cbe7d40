package main

import (
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// schemaOptions are the arguments of schema.
type schemaOptions struct {
	Of schemaName `arg:"" name:"name" help:"What the schema is of: config (the settings file) or report (the report of a run as JSON)."`
}

// schemaName is what there is a schema of.
type schemaName string

func (n *schemaName) UnmarshalText(text []byte) error {
	known := []string{"config", "report"}
	if !slices.Contains(known, string(text)) {
		hint := "write " + strings.Join(known, " or ")
		if near := nearest.Names(string(text), known); len(near) > 0 {
			hint = "did you mean " + near[0] + "?"
		}
		return usagef(hint, "there is no schema %q", text)
	}
	*n = schemaName(text)
	return nil
}

// newSchema makes the function of the command schema.
func newSchema(sys system) func(*kong.Application, schemaOptions) error {
	return func(app *kong.Application, o schemaOptions) error {
		if o.Of == "report" {
			_, err := io.WriteString(sys.stdout, report.Schema())
			return err
		}
		return settings.WriteSchema(sys.stdout, app)
	}
}
