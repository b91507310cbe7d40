package formats

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/report"
)

// KnownFailuresYAML writes a file of known failures: an entry for each failed requirement
// that fails the run, or that is a known failure already. The reason of a new entry says
// how it failed, until somebody writes why that is accepted.
func KnownFailuresYAML(w io.Writer, r *report.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Known failures of %s, for %s.\n", Escape(r.Header.Target), Escape(r.Header.Document))
	b.WriteString("# Replace each reason by why the failure is accepted for now. link and expires (such as\n# expires: 2030-12-31) are optional.\n")
	none := true
	for _, x := range r.Results {
		if x.Verdict != report.Fail || x.Known == nil && !r.Header.Gates(x.Level) {
			continue
		}
		none = false
		fmt.Fprintf(&b, "\n- requirement: %s\n", scalar(x.Requirement))
		if x.Known == nil {
			fmt.Fprintf(&b, "  reason: %s\n", yamlString(cut(gist(x), 400)))
			continue
		}
		fmt.Fprintf(&b, "  reason: %s\n", yamlString(x.Known.Reason))
		if x.Known.Link != "" {
			fmt.Fprintf(&b, "  link: %s\n", yamlString(x.Known.Link))
		}
		if x.Known.Expires != "" {
			fmt.Fprintf(&b, "  expires: %s\n", yamlString(x.Known.Expires))
		}
	}
	if none {
		b.WriteString("\n# Nothing failed.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scalar writes an id as it is where no reader of YAML takes it for something else.
func scalar(id string) string {
	if regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`).MatchString(id) {
		return id
	}
	return yamlString(id)
}

// yamlString writes a text in quotes: a JSON string is one of YAML too.
func yamlString(text string) string {
	b, _ := jsontext.AppendQuote(nil, Escape(text)) // the only error is broken UTF-8, which Escape replaces
	return string(b)
}
