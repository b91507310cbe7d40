package formats

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// How much a page shows; the JSON form shows everything.
const (
	htmlFieldRunes = 4000     // characters of one value
	htmlCurlBytes  = 64 << 10 // a longer command is not pasted by anyone
	htmlText       = 16 << 10 // bytes of one message, as text
	htmlHex        = 4 << 10  // and in hexadecimal
	htmlRaw        = 1 << 20  // bytes of the messages of all failures
	htmlOpen       = 20       // failures up to which all are open
)

// htmlResult is a failed requirement.
type htmlResult struct {
	Row      htmlRow
	Failures []htmlFailure
}

// htmlFailure is one way in which it failed.
type htmlFailure struct {
	N       int
	Open    bool
	Gist    string
	Fields  []htmlField
	Classes []report.ClassCount // escaped
	Story   []string
	Steps   []htmlStep
	// Apart says that the messages are left out, because the page would get too large.
	Apart bool
	// Curl is empty if no command can be pasted, and NoCurl then says why.
	Curl, NoCurl string
	Replay       string
	// FromReport is the command that sends these steps, where Replay sends others.
	FromReport string
}

// htmlStep is one exchange.
type htmlStep struct {
	About             string
	Failure           string
	Request, Response *htmlMessage
}

// htmlMessage is one message, as text and in hexadecimal.
type htmlMessage struct {
	Kind      string // Request or Response
	Size      string
	Text, Hex string
	HexCut    string // says that Hex is not the whole; or empty
}

// failures fills the sections about failed requirements, in the order of the text form.
func (p *htmlPage) failures(r *report.Report, o Options) {
	rows := map[string]htmlRow{}
	for i, x := range r.Results {
		if x.Verdict == report.Fail {
			rows[x.Requirement] = p.Rows[i]
		}
	}
	failed, warned, suspected := split(r, o)
	known := knownResults(r)
	number := 0
	for _, x := range slices.Concat(failed, warned, suspected, known) {
		number += len(x.Failures)
	}
	raw := htmlRaw
	section := func(list []report.Result) (out []htmlResult) {
		for _, x := range list {
			one := htmlResult{Row: rows[x.Requirement]}
			for _, f := range x.Failures {
				one.Failures = append(one.Failures, newHTMLFailure(f, number <= htmlOpen, &raw))
			}
			out = append(out, one)
		}
		return out
	}
	p.Failed, p.Warned, p.Suspected, p.Known = section(failed), section(warned), section(suspected), section(known)
}

// newHTMLFailure shows a failure; raw is how many bytes of messages there is room for.
func newHTMLFailure(f report.Failure, open bool, raw *int) htmlFailure {
	out := htmlFailure{N: f.N, Open: open, Gist: cut("sent "+f.Sent+"; got "+f.Got, 160), Replay: Escape(f.Replay)}
	if f.Cause != "" && len(f.Steps) > 1 {
		out.FromReport = fmt.Sprintf("conformance replay REPORT.json#%d", f.N)
	}
	add := func(label, value string) {
		if value != "" {
			out.Fields = append(out.Fields, htmlField{label, cut(value, htmlFieldRunes)})
		}
	}
	add("Sent", f.Sent)
	add("Expected", f.Expected)
	add("Got", f.Got)
	add("Cause", f.Cause)
	add("Common to all that fail", f.Common)
	for _, one := range f.Suspects {
		add("Suspect", one)
	}
	add("Case", f.Case)
	switch {
	case f.NotTriedAgain != "":
		add("Not tried again", f.NotTriedAgain)
	case !f.Stable && f.Cause == "":
		add("Unstable", "it passed when tried again")
	}
	if !f.Minimal && f.Cause == "" {
		add("Example", "may not be the smallest")
	}
	for _, c := range f.Classes {
		c.Class = Escape(c.Class)
		out.Classes = append(out.Classes, c)
	}
	for _, line := range f.Story {
		out.Story = append(out.Story, cut(line, htmlFieldRunes))
	}
	switch {
	case f.Curl == "":
		out.NoCurl = "No curl command can repeat it."
	case len(f.Curl) > htmlCurlBytes || !clean(strings.ReplaceAll(f.Curl, "\n", "")):
		out.NoCurl = "The curl command is too long or holds characters that cannot be pasted: see the JSON report."
	default:
		out.Curl = f.Curl
	}
	for i, st := range f.Steps {
		if *raw -= min(len(st.Request.Data), htmlText) + min(len(st.Response.Data), htmlText); *raw < 0 {
			out.Apart = true
			break
		}
		out.Steps = append(out.Steps, newHTMLStep(i+1, len(f.Steps), st))
	}
	return out
}

func newHTMLStep(n, of int, st report.Step) htmlStep {
	out := htmlStep{About: fmt.Sprintf("Request %d of %d on connection %d%s", n, of, st.Connection, together(st)),
		Failure: cut(st.Failure, htmlFieldRunes), Request: newHTMLMessage("Request", st.Request)}
	if st.Case != "" {
		out.About += ", of the case " + Escape(st.Case)
	}
	if st.Await {
		out.About += "; its body waits for 100 Continue"
	}
	if len(st.Cuts) > 0 {
		out.About += "; the sender paused in the body at byte " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(st.Cuts)), ", "), "[]")
	}
	if st.Failure == "" || len(st.Response.Data) > 0 {
		out.Response = newHTMLMessage("Response", st.Response)
	}
	return out
}

// newHTMLMessage shows bytes. Only CR LF ends a line, as on the wire; any other control
// character is shown as an escape.
func newHTMLMessage(kind string, b report.Bytes) *htmlMessage {
	whole := len(b.Data) + b.Cut
	m := &htmlMessage{Kind: kind, Size: counted(whole, "byte")}
	shown := b.Data[:min(len(b.Data), htmlText)]
	lines := strings.Split(string(shown), "\r\n")
	for i := range lines {
		lines[i] = Escape(lines[i])
	}
	m.Text = strings.Join(lines, "\n")
	if n := whole - len(shown); n > 0 {
		m.Text += fmt.Sprintf("… (%d bytes more)", n)
	}
	first := b.Data[:min(len(b.Data), htmlHex)]
	m.Hex = strings.TrimSuffix(hex.Dump(first), "\n")
	if len(first) < whole {
		m.HexCut = fmt.Sprintf("the first %d of %s", len(first), counted(whole, "byte"))
	}
	return m
}
