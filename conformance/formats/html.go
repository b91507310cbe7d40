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
	//go:embed html/style.css
	htmlStyle string
	//go:embed html/script.js
	htmlScript string
)

// HTML writes one page for a browser that needs no other file and no network. All of
// it can be read without JavaScript; the script filters, copies commands and opens
// what is printed.
func HTML(w io.Writer, r *report.Report, o Options) error {
	t, err := template.New("report").Parse(htmlTemplate)
	if err == nil {
		_, err = t.Parse(htmlFailures)
	}
	if err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, newHTMLPage(r, o)); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
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
