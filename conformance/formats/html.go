package formats

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the parts of the page are files
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"plantstore/conformance/report"
)

// The parts of the page. It is one file that loads nothing: its reader may be
// offline, and what a target sent must not reach a network from there.
var (
	//go:embed html/report.tmpl
	htmlTemplate string
	//go:embed html/failures.tmpl
	htmlFailures string
	//go:embed html/times.tmpl
	htmlTimesPart string
	//go:embed html/style.css
	htmlStyle string
	//go:embed html/filter.js
	htmlFilter string
	//go:embed html/script.js
	htmlScript string
)

// HTML writes one page for a browser that needs no other file and no network. All of
// it can be read without JavaScript; the script filters, copies commands and opens
// what is printed.
func HTML(w io.Writer, r *report.Report, o Options) error {
	return writeHTML(w, "html report", newHTMLPage(r, o), htmlTemplate, htmlFailures, htmlTimesPart)
}

// writeHTML writes a page with the first template. The others define what it uses.
func writeHTML(w io.Writer, what string, page any, templates ...string) error {
	t := template.New(what)
	for _, text := range templates {
		if _, err := t.Parse(text); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	var text bytes.Buffer
	if err := t.Execute(&text, page); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// htmlParts are the style and the script of a page, and the policy that allows them.
type htmlParts struct{ Policy, Style, Script template.HTML }

func newHTMLParts(style, script string) htmlParts {
	return htmlParts{Policy: htmlPolicy(style, script), Style: template.HTML("<style>" + style + "</style>"),
		Script: template.HTML("<script>" + script + "</script>")}
}

// look is the class, for the style sheet, of an element with a verdict.
func look(st style) string {
	switch st {
	case good:
		return "good"
	case bad:
		return "bad"
	}
	return "doubtful"
}

// htmlPolicy allows this style and this script by their hashes, and nothing else: what
// slipped through the escaping would not run and could load nothing.
func htmlPolicy(style, script string) template.HTML {
	return template.HTML(fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'">`,
		integrity(style), integrity(script)))
}

// integrity is the hash of a text as a Content-Security-Policy writes it.
func integrity(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
