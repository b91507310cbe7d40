package settings

import (
	"regexp"
	"strconv"
	"strings"
)

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
