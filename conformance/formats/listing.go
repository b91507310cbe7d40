package formats

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/report"
)

// ListingText writes the plan: a row for each requirement, then the totals.
func ListingText(w io.Writer, l *report.Listing, o Options) error {
	s := newPage(o)
	wide := len("requirement")
	for _, e := range l.Requirements {
		wide = max(wide, utf8.RuneCountInString(Escape(e.Requirement)))
	}
	s.line("%s", s.paint(strong, pad("requirement", wide)+"  level   cases  sentence"))
	for _, e := range l.Requirements {
		cases := strconv.Itoa(e.Cases)
		if l.Estimated {
			cases = "-"
		}
		s.line("%s  %-6s  %5s  %s", pad(Escape(e.Requirement), wide), Escape(string(e.Level)), cases, Escape(e.Sentence))
	}
	s.blank()
	about := ""
	if l.Estimated {
		about = "up to "
	}
	s.line("%s: %s, %s%s", Escape(l.Document), counted(len(l.Requirements), "requirement"), about, counted(l.Cases, "case"))
	for i, address := range l.Servers {
		s.field(0, "server "+strconv.Itoa(i+1), address, rowsShown)
	}
	s.field(0, "left out", strings.Join(l.LeftOut, "; "), rowsShown)
	return s.send(w)
}

func pad(s string, runes int) string {
	return s + strings.Repeat(" ", max(runes-utf8.RuneCountInString(s), 0))
}

// ExplanationText writes one requirement, class or case in full.
func ExplanationText(w io.Writer, e *report.Explanation, o Options) error {
	s := newPage(o)
	if e.Class != nil {
		s.class(e.Class)
		return s.send(w)
	}
	s.line("%s (%s)", s.paint(strong, Escape(e.Requirement)), Escape(string(e.Level)))
	s.field(2, "rule", e.Sentence, rowsShown)
	s.field(2, "clause", e.Clause, rowsShown)
	s.paragraphs("checks", e.Doc)
	s.field(2, "judged by", e.Rule, 1)
	s.field(2, "file", e.File, rowsShown)
	s.field(2, "cases", counted(e.Cases, "case"), 1)
	s.rows("what is sent", sentRows(e.Classes), rowsShown)
	s.request("example", e.Example)
	if e.Fix != "" {
		s.blank()
		s.paragraphs("fix", e.Fix)
	}
	return s.send(w)
}

// family is the classes that share the first parts of their names.
type family struct {
	name, first    string // what they share, and the whole name of the first
	classes, cases int
}

// sentRows lists classes with their numbers of cases. If there are many, it groups
// them by the first parts of their names, as many as still give a short list.
func sentRows(classes []report.ClassCount) []string {
	const short = 20
	list := families(classes, math.MaxInt)
	for depth := 5; len(list) > short && depth > 1; depth-- {
		list = families(classes, depth)
	}
	var rows []string
	for _, f := range list {
		row := Escape(f.first) + ": " + counted(f.cases, "case")
		if f.classes > 1 {
			row = fmt.Sprintf("%s/*: %s in %d classes", Escape(f.name), counted(f.cases, "case"), f.classes)
		}
		rows = append(rows, row)
	}
	return rows
}

// families groups classes by the first parts of their names; depth is the number of
// parts.
func families(classes []report.ClassCount, depth int) []*family {
	var list []*family
	by := map[string]*family{}
	for _, c := range classes {
		parts := strings.Split(c.Class, "/")
		name := strings.Join(parts[:min(depth, len(parts))], "/")
		f := by[name]
		if f == nil {
			f = &family{name: name, first: c.Class}
			by[name] = f
			list = append(list, f)
		}
		f.classes++
		f.cases += c.Judged
	}
	return list
}

// paragraphs writes a text of several lines below one label.
func (s *page) paragraphs(label, text string) {
	for l := range strings.Lines(strings.TrimSpace(text)) {
		s.field(2, label, strings.TrimSpace(l), rowsShown)
		label = ""
	}
}

// TranscriptText writes what a replay sent and received, to the byte, and
// whether it failed.
func TranscriptText(w io.Writer, t *report.Transcript, o Options) error {
	s := newPage(o)
	s.line("%s", s.paint(strong, "case "+Escape(t.Case)))
	s.steps(0, t.Steps, 0, 0, 0)
	s.blank()
	gates := false
	for _, r := range t.Failures {
		word, st := "WARN", doubtful
		if r.Level.Gates(o.FailOn) {
			word, st, gates = "FAIL", bad, true
		}
		s.line("%s %s (%s)", s.paint(st, word), s.paint(strong, Escape(r.Requirement)), Escape(string(r.Level)))
		s.field(5, "rule", r.Sentence, fieldLines)
		for _, f := range r.Failures {
			s.field(5, "expected", f.Expected, fieldLines)
			s.field(5, "got", f.Got, fieldLines)
		}
	}
	switch {
	case gates:
		s.line("%s", s.paint(bad, "failed"))
	case t.Reason != "":
		s.line("%s", s.paint(doubtful, "not judged: "+cut(t.Reason, 4*s.width)))
	case len(t.Failures) > 0:
		s.line("%s", s.paint(doubtful, "passed, with a warning"))
	default:
		s.line("%s", s.paint(good, "passed"))
	}
	return s.send(w)
}

// sentShown is how many mutators of one requirement the page names.
const sentShown = 6

const listingHead = `# Requirements of %s

Each row is one requirement: its id, how binding it is (RFC 2119), what it says, the clause that it rests on, and the mutators that make the requests which test it. OPEN marks what the specification leaves open: it is observed and never judged. ` + "`conformance explain ID`" + ` shows an example of what is sent, and how to fix a server that fails.

` + "`conformance list --format markdown`" + ` prints this page.

| requirement | level | sentence | clause | sent by |
|---|---|---|---|---|
`

// ListingMarkdown writes the plan as a page: a row for each requirement, then what each
// mutator sends.
func ListingMarkdown(w io.Writer, l *report.Listing) error {
	var b strings.Builder
	fmt.Fprintf(&b, listingHead, cell(l.Document))
	for _, e := range l.Requirements {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(e.Requirement), cell(string(e.Level)), cell(e.Sentence), cell(e.Clause), sentBy(e.Sent, len(l.Mutators)))
	}
	if len(l.Mutators) > 0 {
		b.WriteString("\n## What is sent\n\n| mutator | what it sends, and why |\n|---|---|\n")
		for _, m := range l.Mutators {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(m.Name), cell(m.Doc))
		}
	}
	if len(l.LeftOut) > 0 {
		b.WriteString("\n## Left out\n\n")
		for _, line := range l.LeftOut {
			fmt.Fprintf(&b, "- %s\n", cell(line))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentBy names the first mutators of a requirement.
func sentBy(names []string, all int) string {
	switch {
	case len(names) == 0:
		return "-"
	case len(names) == all:
		return "every mutator"
	case len(names) > sentShown+1:
		return cell(strings.Join(names[:sentShown], ", ")) + " and others"
	}
	return cell(strings.Join(names, ", "))
}

// cell makes a text safe in a table of Markdown: it can neither end the cell nor become
// markup.
func cell(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`).Replace(Escape(text))
}

// coverageHead stands above the table.
const coverageHead = `# What is generated for each schema keyword

The table counts the cases in the plan of a small document for each keyword, with the default number of draws. A valid case uses the keyword and keeps the schema. An invalid case violates this keyword and nothing else, and a requirement covers it. The exact judge decides which is which. Cases that only write a value differently, or that violate several keywords, are not counted.

` + "`conformance list --coverage`" + ` prints this file. A test compares the two, and checks 1,000 draws of each kind.

| keyword | OpenAPI | valid values | cases | invalid values | cases | covered |
|---|---|---|---|---|---|---|
`

// CoverageMarkdown writes the table of keywords.
func CoverageMarkdown(w io.Writer, c *report.Coverage) error {
	var b strings.Builder
	b.WriteString(coverageHead)
	var lacking []string
	full := 0
	for _, k := range c.Keywords {
		sides := sidesOf(k)
		if sides == "both" {
			full++
		} else {
			lacking = append(lacking, fmt.Sprintf("- %s (%s), %s: %s.", k.Keyword, strings.Join(k.Dialects, ", "), sides, k.Why))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %d | %s |\n", k.Keyword, strings.Join(k.Dialects, ", "),
			orDash(k.Valid.What), k.Valid.Cases, orDash(k.Invalid.What), k.Invalid.Cases, sides)
	}
	fmt.Fprintf(&b, "\n%d of %d rows have both. The others:\n\n%s\n", full, len(c.Keywords), strings.Join(lacking, "\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

// CoverageJSON writes the same as JSON.
func CoverageJSON(w io.Writer, c *report.Coverage) error { return writeJSON(w, c) }

func sidesOf(k report.KeywordCoverage) string {
	switch {
	case k.Valid.Cases > 0 && k.Invalid.Cases > 0:
		return "both"
	case k.Valid.Cases > 0:
		return "valid only"
	case k.Invalid.Cases > 0:
		return "invalid only"
	}
	return "left out"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
