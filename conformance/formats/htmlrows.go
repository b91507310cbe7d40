package formats

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// The words that all formats show instead of a verdict: for a failure that does not gate, for an
// open point, which has no verdict, for a known failure, and for one that only evidence suggests.
const (
	shownWarning   = "warning"
	shownObserved  = "observed"
	shownKnown     = "known"
	shownSuspected = "suspected"
)

// htmlVerdicts is the order in which verdicts are told, worst first.
func htmlVerdicts() []string {
	return []string{string(report.Fail), shownKnown, shownWarning, shownSuspected, string(report.Error), string(report.Inconclusive),
		string(report.Pass), string(report.Inapplicable), shownObserved}
}

// htmlRow is one requirement in the table.
type htmlRow struct {
	N         int // from 1, in the order of the report
	Verdict   string
	Level     string
	ID        string
	Sentence  string
	Clause    string
	Reason    string
	Fix       string
	Explain   string // the command that says more
	Operation string
	// Choice is the index of the operation in the filter, or empty. Categories are those of
	// its findings.
	Choice     string
	Categories string
	Cases      string
	Failed     bool // there is a section about it
}

// rows fills the table, its filters and the counts.
func (p *htmlPage) rows(v *view) {
	var verdicts, levelNames, operations []string
	for i, x := range v.rows {
		row := htmlRow{N: i + 1, Verdict: x.word, Level: Escape(string(x.Level)), ID: Escape(x.Requirement),
			Sentence: cut(withEvidence(x.Result), htmlFieldRunes), Clause: Escape(clauseOf(x.Result)), Reason: cut(x.Reason, htmlFieldRunes), Fix: cut(x.Fix, htmlFieldRunes), Explain: Escape(v.Header.Explain(x.Requirement)),
			Operation: Escape(x.Operation), Failed: x.Verdict == report.Fail}
		if x.Verdict == report.Fail && x.Known != nil {
			row.Reason = cut(knownNote(x.Known), htmlFieldRunes)
		}
		if c := x.Cases; c.Planned+c.Judged+c.NotTried > 0 {
			row.Cases = rowCases(c)
		}
		verdicts, levelNames, operations = append(verdicts, row.Verdict), append(levelNames, row.Level), append(operations, row.Operation)
		p.Rows = append(p.Rows, row)
	}
	var known []string
	for _, l := range levels() {
		known = append(known, string(l))
	}
	p.Verdicts, p.Levels = choices(htmlVerdicts(), verdicts), choices(known, levelNames)
	var at map[string]string
	p.Operations, at = operationChoices(operations)
	for i := range p.Rows {
		p.Rows[i].Choice = at[p.Rows[i].Operation]
	}
	p.count()
}

// rowCases counts the cases of a requirement. Of one that did not fail, a reader asks how
// many were judged, and not that none of them failed.
func rowCases(c report.Cases) string {
	if c.Failed > 0 {
		return caseCounts(c)
	}
	var out []string
	if c.Judged > 0 {
		out = append(out, counted(c.Judged, "case"))
	}
	if c.Suppressed > 0 {
		out = append(out, fmt.Sprintf("%d suppressed by a more basic failure", c.Suppressed))
	}
	if c.NotTried > 0 {
		out = append(out, fmt.Sprintf("%d not tried", c.NotTried))
	}
	return cmp.Or(strings.Join(out, ", "), "no case was judged")
}

// worstFirst puts what a reader has to look at above what passed.
func (p *htmlPage) worstFirst() {
	order := htmlVerdicts()
	slices.SortStableFunc(p.Rows, func(a, b htmlRow) int {
		return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
	})
}

// count fills the table of counts from the rows.
func (p *htmlPage) count() {
	for _, l := range p.Levels {
		c := htmlCount{Level: l.Text, Verdicts: p.Verdicts}
		for _, v := range p.Verdicts {
			n := 0
			for _, row := range p.Rows {
				if row.Level == l.Text && row.Verdict == v.Text {
					n++
				}
			}
			c.Counts = append(c.Counts, n)
		}
		p.Counts = append(p.Counts, c)
	}
}

// shownVerdict is the word for a verdict: the verdict, or what a reader has to know instead.
func shownVerdict(v report.Verdict, l report.Level, known, gates bool) string {
	switch {
	case l == report.Open && v != report.Error:
		return shownObserved
	case v == report.Fail && known:
		return shownKnown
	case v == report.Fail && !gates && l == report.Suspected:
		return shownSuspected
	case v == report.Fail && !gates:
		return shownWarning
	case slices.Contains(htmlVerdicts(), string(v)):
		return string(v)
	}
	return string(report.Inconclusive) // a report of a newer suite: never green
}

// How much a page shows; the JSON form shows everything.
const (
	htmlFieldRunes = 4000     // characters of one value
	htmlCurlBytes  = 64 << 10 // a longer command is not pasted by anyone
	htmlText       = 16 << 10 // bytes of one message, as text
	htmlHex        = 4 << 10  // and in hexadecimal
	htmlRaw        = 1 << 20  // bytes of the messages of all failures
	htmlOpen       = 20       // failures up to which all are open
	htmlMembers    = 200      // other failures of one finding
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
func (p *htmlPage) failures(v *view) {
	rows := map[string]htmlRow{}
	for i, x := range v.Results {
		if x.Verdict == report.Fail {
			rows[x.Requirement] = p.Rows[i]
		}
	}
	number := 0
	for _, x := range slices.Concat(v.failed, v.warned, v.suspected, v.known) {
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
	p.Failed, p.Warned, p.Suspected = section(v.failed), section(v.warned), section(v.suspected)
	told := map[string]bool{}
	for _, x := range v.knownIssues() {
		one := htmlKnown{Title: cut(x.title(), sentenceOf), Reason: cut(x.accepted(), htmlFieldRunes)}
		for _, y := range v.known {
			if slices.Contains(x.Requirements, y.Requirement) && !told[y.Requirement] {
				told[y.Requirement] = true
				one.Results = append(one.Results, section([]report.Result{y})...)
			}
		}
		p.Known = append(p.Known, one)
	}
}

// htmlKnown is a finding that the file of known failures has, in a line that opens.
type htmlKnown struct {
	Title, Reason string
	Results       []htmlResult // those that no earlier finding has
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
	add("Again", again(&f))
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
	out.Curl, out.NoCurl = htmlCurl(&f)
	for i, st := range f.Steps {
		if *raw -= min(len(st.Request.Data), htmlText) + min(len(st.Response.Data), htmlText); *raw < 0 {
			out.Apart = true
			break
		}
		out.Steps = append(out.Steps, newHTMLStep(i+1, len(f.Steps), st))
	}
	return out
}

// htmlCurl is a command that can be pasted, or why there is none.
func htmlCurl(f *report.Failure) (command, without string) {
	switch {
	case f.Curl == "":
		return "", "No curl command can repeat it."
	case len(f.Curl) > htmlCurlBytes || !clean(strings.ReplaceAll(f.Curl, "\n", "")):
		return "", "The curl command is too long or holds characters that cannot be pasted: see the JSON report."
	}
	return f.Curl, ""
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
