package formats

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/conformance/report"
)

// The parts of the page. It is one file that loads nothing: its reader may be
// offline, and what a target sent must not reach a network from there.
var (
	//go:embed html/report.tmpl
	htmlTemplate string
	//go:embed html/findings.tmpl
	htmlFindings string
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
	return writeHTML(w, "html report", newHTMLPage(r, o), htmlTemplate, htmlFindings, htmlFailures, htmlTimesPart)
}

// writeHTML writes a page with the first template. The others define what it uses.
func writeHTML(w io.Writer, what string, page any, templates ...string) error {
	t := template.New(what).Funcs(htmlFuncs())
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

// htmlFuncs make texts of others safe to read: whole, up to the length of a cell, or of a value.
func htmlFuncs() template.FuncMap {
	return template.FuncMap{
		"show":    func(text any) string { return Escape(fmt.Sprint(text)) },
		"cell":    func(text string) string { return cut(text, cellBytes) },
		"long":    func(text string) string { return cut(text, htmlFieldRunes) },
		"bytes":   func(b report.Bytes) string { return cut(string(b.Data), htmlFieldRunes) },
		"counted": counted, "failures": failedCell,
	}
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

// htmlPage is what the template shows. Its own texts are escaped for a reader, and the template
// escapes those of the report. What has a meaning in HTML is the work of the template.
type htmlPage struct {
	htmlParts
	*report.Report

	Title    string // the whole line of the verdict
	Verdict  string
	Besides  []string
	Look     string // good, bad or doubtful
	Scope    []string
	About    []htmlField
	More     []htmlField
	Counts   []htmlCount
	Verdicts []htmlChoice
	Levels   []htmlChoice
	// Operations are those of the requirements; a row has the index of its own.
	Operations []htmlChoice
	Rows       []htmlRow
	Findings   []htmlFinding
	Categories []htmlChoice
	Failed     []htmlResult
	Warned     []htmlResult
	Suspected  []htmlResult
	Known      []htmlKnown
	Agreement  string // with the second opinion
	Times      *htmlTimes
	Reached    string
	// NotTried says what has no verdict, by its reason.
	NotTried []sameReason
}

// htmlField is a label and its value.
type htmlField struct{ Label, Value string }

// htmlChoice is an option of a filter and how many rows it selects.
type htmlChoice struct {
	Value, Text string
	Count       int
}

// htmlCount is a row of the table of counts.
type htmlCount struct {
	Level string
	// Counts are those of Verdicts, in their order.
	Counts   []int
	Verdicts []htmlChoice
}

func newHTMLPage(r *report.Report, o Options) *htmlPage {
	view := viewOf(r, o)
	v := view.verdict
	p := &htmlPage{htmlParts: newHTMLParts(htmlStyle, htmlFilter+htmlScript), Report: r, Title: v.line(), Verdict: v.head, Besides: slices.Concat(v.also, v.limits), Look: look(v.style),
		Scope: htmlScope(r, v.line()), About: htmlAbout(r), More: htmlMore(r), Agreement: agreement(r.Second), Times: newHTMLTimes(&r.Times), Reached: reached(r.Reach), NotTried: untriedKinds(r)}
	p.rows(view)
	p.findings(view.sorted())
	p.failures(view)
	p.worstFirst()
	return p
}

// htmlReasons is how many reasons stand above everything.
const htmlReasons = 5

// htmlScope says what the verdict is about and what it does not cover, where the line
// of the verdict does not say so.
func htmlScope(r *report.Report, verdict string) []string {
	out := []string{fmt.Sprintf("The verdict covers what this run sent to this target, and nothing else: %s planned, %s.",
		counted(r.Header.Cases, "case"), counted(r.Summary.Exchanges, "exchange"))}
	told := 0
	for _, x := range slices.DeleteFunc(slices.Clone(r.Summary.Reasons), followsFrom) {
		if reason := cut(x, htmlFieldRunes); !strings.Contains(verdict, reason) {
			if told++; told <= htmlReasons {
				out = append(out, "Incomplete: "+reason)
			}
		}
	}
	if told > htmlReasons {
		out = append(out, fmt.Sprintf("Incomplete for %s more, by which the list of what was not tried or not decided is grouped.", counted(told-htmlReasons, "reason")))
	}
	for _, line := range OutOfDate(r) {
		out = append(out, "Known failures out of date: "+line)
	}
	if r.Header.NamedCases {
		out = append(out, "Every request carried its case id: a target could have answered by it.")
	}
	if r.Header.Traced {
		out = append(out, "Every request carried a trace id that is made of its case id: a target could have answered by it.")
	}
	return out
}

// fields appends a field if it has a value.
func fields(list []htmlField, label, value string) []htmlField {
	if value == "" {
		return list
	}
	return append(list, htmlField{label, value})
}

// htmlAbout says which run this was.
func htmlAbout(r *report.Report) []htmlField {
	h := r.Header
	target := Escape(h.Target)
	if h.Embedded {
		target += " (embedded reference server)"
	}
	out := fields(nil, "Target", target)
	out = fields(out, "Document", Escape(h.Document))
	out = fields(out, "SHA-256", Escape(h.Digest))
	for _, x := range h.Subjects {
		out = fields(out, "Subject", Escape(x.String()))
	}
	out = fields(out, "Selection", cut(strings.Join(h.Selection, ", "), htmlFieldRunes))
	if h.Shard != nil {
		out = fields(out, "Shard", fmt.Sprintf("%s of plan %s with %s", h.Shard, Escape(h.Shard.Plan), counted(h.Shard.Cases, "case")))
	}
	return fields(out, "Seed", fmt.Sprintf("%d, dataset generation %d", h.Seed, h.Generation))
}

// htmlMore says how the run went.
func htmlMore(r *report.Report) []htmlField {
	h := r.Header
	out := fields(nil, "Tool", Escape(r.Tool))
	out = fields(out, "Planned", fmt.Sprintf("%s, %s, %s in each class; may store up to %s", counted(h.Requirements, "requirement"),
		counted(h.Cases, "case"), counted(h.Draws, "random case"), counted(h.MaxStored, "resource")))
	out = fields(out, "Effort", Escape(h.Effort))
	out = fields(out, "Level that gates", Escape(strings.ToUpper(h.FailOn)))
	out = fields(out, "Values", cut(strings.Join(h.Values, " "), htmlFieldRunes))
	if f := h.ValuesFile; f != nil {
		out = fields(out, "Values file", Escape(f.Name+", SHA-256 "+f.Digest))
	}
	for _, f := range r.Facts {
		out = fields(out, "Learned", Escape(f.Name+": "+f.Value))
	}
	out = fields(out, "Clean-up", Escape(cleanUp(r.CleanUp)))
	if t := r.Times; !t.Began.IsZero() {
		out = fields(out, "Began", t.Began.UTC().Format(time.RFC3339))
		out = fields(out, "Took", fmt.Sprintf("%s; median answer %s, slowest answer %s", t.Took.Round(time.Millisecond),
			t.Median.Round(time.Microsecond), t.Slowest.Round(time.Microsecond)))
	}
	return fields(out, "Limited", Escape(heldBack(r)))
}

// choices counts the values of rows, in the order of known, then as they come.
func choices(known, values []string) []htmlChoice {
	var out []htmlChoice
	at := map[string]int{}
	for _, v := range slices.Concat(known, values) {
		if _, there := at[v]; !there && v != "" {
			at[v] = len(out)
			out = append(out, htmlChoice{Value: v, Text: v})
		}
	}
	for _, v := range values {
		if v != "" {
			out[at[v]].Count++
		}
	}
	return slices.DeleteFunc(out, func(c htmlChoice) bool { return c.Count == 0 })
}

// operationChoices counts the rows of each operation. The value of a choice is its index;
// at has it by the operation.
func operationChoices(operations []string) (list []htmlChoice, at map[string]string) {
	list, at = choices(nil, operations), map[string]string{}
	for i := range list {
		list[i].Value = strconv.Itoa(i)
		at[list[i].Text] = list[i].Value
	}
	return list, at
}

// htmlFinding is what failed, above the requirements.
type htmlFinding struct {
	ID       string // empty if an earlier finding has the same
	Category string
	Verdict  string
	Level    string
	Choices  string // the indexes of the operations
	Sentence string
	// Extent says in how many operations and requirements, and Operations names them.
	Extent     string
	Operations []string
	Fields     []htmlField
	Row        htmlRow // the requirement of the example
	N          int     // the example; zero if there is none
	Curl       string
	Replay     string
	All        string // the command that sends all of it again
	Others     []htmlMember
	Cut        int // how many others are left to the JSON form
}

// htmlMember is another failure of a finding.
type htmlMember struct {
	report.Member // escaped
	Row           int
}

// findings fills the list on top, and the filter by category.
func (p *htmlPage) findings(list []issue) {
	rows, choice := map[string]*htmlRow{}, map[string]string{}
	for i := range p.Rows {
		rows[p.Rows[i].ID] = &p.Rows[i]
		choice[p.Rows[i].Operation] = p.Rows[i].Choice
	}
	var categories []string
	seen := map[string]bool{}
	for _, x := range list {
		out := htmlFinding{Category: Escape(string(x.Category)), Verdict: x.word, Level: Escape(string(x.Level)), Sentence: cut(x.Sentence, sentenceOf), Extent: x.extent(), All: Escape(x.all)}
		if !seen[x.ID] {
			out.ID = Escape(x.ID)
		}
		seen[x.ID] = true
		categories = append(categories, out.Category)
		for _, id := range x.Requirements {
			if row := rows[Escape(id)]; row != nil && !slices.Contains(strings.Fields(row.Categories), out.Category) {
				row.Categories = strings.TrimSpace(row.Categories + " " + out.Category)
			}
		}
		var choices []string
		for _, op := range x.Operations {
			out.Operations = append(out.Operations, Escape(op))
			choices = append(choices, choice[Escape(op)])
		}
		out.Choices = strings.Join(choices, " ")
		if row := rows[Escape(x.result.Requirement)]; row != nil {
			out.Row = *row
		}
		for _, row := range x.exchange() {
			out.Fields = fields(out.Fields, capital(row[0]), cut(row[1], htmlFieldRunes))
		}
		if f, found := x.failure(); found {
			out.N, out.Replay = f.N, Escape(f.Replay)
			out.Curl, _ = htmlCurl(&f)
		}
		for _, m := range x.Members[min(1, len(x.Members)):] {
			if len(out.Others) == htmlMembers {
				out.Cut++
				continue
			}
			one := htmlMember{Member: report.Member{N: m.N, Requirement: Escape(m.Requirement), Sent: cut(m.Sent, cellBytes), Got: cut(m.Got, cellBytes)}}
			if row := rows[one.Requirement]; row != nil {
				one.Row = row.N
			}
			out.Others = append(out.Others, one)
		}
		p.Findings = append(p.Findings, out)
	}
	var known []string
	for _, c := range report.Categories() {
		known = append(known, string(c))
	}
	p.Categories = choices(known, categories)
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
