package settings

import (
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// schema is a JSON Schema (2020-12), as far as settings need it.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        any                `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Definitions map[string]*schema `json:"$defs,omitempty"`
}

// WriteSchema writes the JSON Schema of a settings file, for editors. It knows the
// keys and whether they take a list; whether a flag takes a text is checked when the
// file is read.
func WriteSchema(w io.Writer, app *kong.Application) error {
	flags := Flags(app)
	keys := map[string]*schema{}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		keys[name] = schemaOf(flags[name])
	}
	inner := maps.Clone(keys)
	keys[profilesKey] = &schema{
		Description: "Flags by the name of a profile; --profile NAME chooses one.",
		Type:        "object",
		Additional:  &schema{Ref: "#/$defs/profile"},
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(&schema{
		Dialect:     "https://json-schema.org/draft/2020-12/schema",
		Title:       "Settings of " + app.Name,
		Type:        []string{"object", "null"},
		Properties:  keys,
		Additional:  false,
		Definitions: map[string]*schema{"profile": {Type: "object", Properties: inner, Additional: false}},
	})
}

// schemaOf is what a file can say for a flag. Flags of the same name can take different
// words in different commands.
func schemaOf(variants []*kong.Flag) *schema {
	flag := variants[0]
	scalar := &schema{Type: []string{"string", "number", "boolean"}}
	var words []string
	for _, v := range variants {
		for _, word := range v.EnumSlice() {
			if v.Enum != "" && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	fromEnvironment := &schema{Type: "string", Pattern: `\$\{[A-Za-z_][A-Za-z0-9_]*\}`}
	switch {
	case flag.IsBool():
		scalar = &schema{AnyOf: []*schema{{Type: "boolean"}, fromEnvironment}}
	case words != nil:
		scalar = &schema{AnyOf: []*schema{{Enum: words}, fromEnvironment}}
	}
	if flag.IsSlice() {
		return &schema{Description: flag.Help, AnyOf: []*schema{scalar, {Type: "array", Items: scalar}}}
	}
	scalar.Description = flag.Help
	return scalar
}

// Start is what a new settings file says at first.
type Start struct {
	Document string   // title of the document, for a comment
	Spec     string   // path or address of the document; empty for the built-in one
	Target   string   // base URL; empty for none
	Servers  []string // of the document
}

// Text is a settings file with comments.
func (s Start) Text() string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("# yaml-language-server: $schema=", SchemaName)
	line("# Settings of conformance: any flag of conformance run --help, by its long name. The")
	line("# command line and environment variables such as CONFORMANCE_WAIT override this file.")
	line("# Paths are relative to this file. ${NAME} is the value of an environment variable.")
	line("# For editors: conformance schema config > ", SchemaName)
	line()
	line("# The OpenAPI document: ", oneLine(s.Document))
	if s.Spec == "" {
		line("# spec: openapi.yaml")
	} else {
		line("spec: ", quoted(s.Spec))
	}
	line()
	line("# The server: a test system, because a run stores things in it.")
	for i, server := range s.Servers {
		line("# The document names ", oneLine(server), ": server: ", strconv.Itoa(i+1))
	}
	if s.Target == "" {
		line("# target: http://localhost:8080")
	} else {
		line("target: ", quoted(s.Target))
	}
	b.WriteString(remainder)
	return b.String()
}

// SchemaName is the file in which a new settings file expects its schema.
const SchemaName = "conformance.schema.json"

const remainder = `
# How long to wait for the server to be ready.
wait: 30s

# Credentials come from the environment, never from this file: CONFORMANCE_TOKEN is read
# without a line here. Another variable, or several security schemes:
# token: ${STAGING_TOKEN}
# auth:
#   - apiKey=${STAGING_KEY}

# What is tried: smoke, gate, full or deep.
# effort: gate

# Exit 1 also if a SHOULD fails, or only for findings of some categories.
# fail-on: should
# fail-on: crash,security,loss,answer

# Failures that are accepted for now. Make the file with
# conformance known-failures write REPORT.json > known.yaml
# known-failures: known.yaml

# Values that --profile NAME uses instead of those above.
profiles:
  ci:
    report:
      - junit=conformance.xml
      - json=conformance.json
`

// oneLine keeps the text of a document inside its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unquoted are texts that YAML reads as they are, without quotes.
var unquoted = regexp.MustCompile(`^[A-Za-z./]([A-Za-z0-9/._:-]*[A-Za-z0-9/._-])?$`)

// quoted is a text that YAML reads as it is, and in which no variable is replaced.
func quoted(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	if unquoted.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
