package main

import (
	"io"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance/report"
)

// schemaOptions are the arguments of schema.
type schemaOptions struct {
	Of schemaName `arg:"" name:"name" predictor:"schema" help:"What the schema describes: config (the settings file) or report (the JSON report of a run)."`
}

// schemaName names something that has a JSON Schema.
type schemaName string

func (n *schemaName) UnmarshalText(text []byte) error {
	*n = schemaName(text)
	return oneOf(string(text), schemas(), "there is no schema of %q")
}

// schemas are the names.
func schemas() []string { return []string{"config", "report"} }

// schema prints the JSON Schema of a file.
func schema(sys system, app *kong.Application, o schemaOptions) error {
	if o.Of == "report" {
		_, err := io.WriteString(sys.stdout, report.Schema())
		return err
	}
	return settings.WriteSchema(sys.stdout, app)
}
