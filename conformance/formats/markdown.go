package formats

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"plantstore/conformance/report"
)

// How much of a report Markdown shows.
const (
	cellBytes  = 300  // characters of one cell or value
	rowsOpen   = 10   // rows of a list that is open at once
	sentenceOf = 4000 // characters of a sentence
)

// mdPage collects blocks of Markdown.
type mdPage struct {
	strings.Builder
	width int
}

// Markdown writes a report for pages that render GitHub's Markdown: a job summary, a
// comment. The verdict comes first. What a target or a document says is escaped.
func Markdown(w io.Writer, r *report.Report, o Options) error {
	p := &mdPage{width: defaultWidth}
	v := viewOf(r, o)
	p.block("# %s", mdProse(v.verdict.line()))
	p.list([][2]string{{"target", mdTarget(r.Header)}, {"document", mdCode(cut(r.Header.Document, cellBytes))}, {"counts", v.counts()}})
	p.findings(v)
	p.known(v)
	p.notTried(r)
	p.observed(r)
	p.about(r)
	_, err := io.WriteString(w, p.String())
	return err
}

// block writes one block, apart from the one before it.
func (p *mdPage) block(format string, args ...any) {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	fmt.Fprintf(p, format+"\n", args...)
}

// mdTarget names the target.
func mdTarget(h report.Header) string {
	target := mdCode(cut(h.Target, cellBytes))
	if h.Embedded {
		target += " (embedded reference server)"
	}
	return target
}

// about says how to try it again, and what else only some readers ask.
func (p *mdPage) about(r *report.Report) {
	h := r.Header
	seed := fmt.Sprintf("%d, dataset generation %d, %s planned", h.Seed, h.Generation, counted(h.Cases, "case"))
	if h.Effort != "" {
		seed += ", effort " + mdCode(h.Effort)
	}
	p.block("## About this run")
	p.list([][2]string{
		{"SHA-256 of the document", mdCode(h.Digest)},
		{"seed", seed},
		{"learned", facts(r)},
		{"second opinion", mdProse(agreement(r.Second))},
		{"tool", mdCode(r.Tool)},
	})
}

func facts(r *report.Report) string {
	var out []string
	for _, f := range r.Facts {
		out = append(out, mdProse(f.Name)+": "+mdCode(cut(f.Value, cellBytes)))
	}
	return strings.Join(out, "; ")
}

// list writes labels and values that are escaped already. One without a value is left
// out.
func (p *mdPage) list(rows [][2]string) {
	var out []string
	for _, row := range rows {
		if row[1] != "" {
			out = append(out, "- **"+row[0]+"** "+row[1])
		}
	}
	if len(out) > 0 {
		p.block("%s", strings.Join(out, "\n"))
	}
}

// findings writes what failed, the worst first, and below it the requirements.
func (p *mdPage) findings(v *view) {
	by := map[string][]issue{}
	for _, x := range v.issues {
		by[x.word] = append(by[x.word], x)
	}
	failed := by[string(report.Fail)]
	if len(failed) > 0 {
		p.block("## Failed: %s", counted(len(failed), "finding"))
	}
	for _, x := range failed[:min(len(failed), fullFailures)] {
		p.finding(&x, v.Header.Explain(x.result.Requirement))
	}
	p.findingTable(failed[min(len(failed), fullFailures):], "More findings")
	p.findingTable(by[shownWarning], "Warnings")
	p.findingTable(by[shownSuspected], "Suspected: descriptions and names suggest it, and the exit code does not depend on it")
	p.requirements(v.failed, len(failed))
}

// finding writes one finding in full. The command explains the requirement of its example.
func (p *mdPage) finding(x *issue, command string) {
	p.block("### %s", mdProse(cut(x.title(), sentenceOf)))
	clause := mdCode(cut(x.result.Clause, sentenceOf))
	if at := x.result.Place; at != nil {
		clause += ", " + mdCode(cut(fmt.Sprintf("%s:%d", at.File, at.Line), sentenceOf))
	}
	rows := [][2]string{
		{"finding", mdCode(x.ID)},
		{"requirement", mdCode(cut(x.result.Requirement, sentenceOf)) + " (" + mdProse(string(x.result.Level)) + ")"},
		{"rule", mdProse(cut(x.result.Sentence, sentenceOf))},
		{"clause", clause},
		{"evidence", mdProse(cut(evidence(x.result), sentenceOf))},
		{"fix", mdProse(cut(x.result.Fix, sentenceOf))},
		{"explain", mdCode(cut(command, sentenceOf))},
		{"replay all", mdCode(cut(x.all, sentenceOf))},
		{"cases", caseCounts(x.result.Cases)},
	}
	if f, found := x.failure(); found {
		p.failure(rows, f)
	} else {
		p.list(rows)
	}
	if len(x.Members) > 1 {
		var rows []string
		for _, m := range x.Members[1:] {
			rows = append(rows, mdRow(mdCell(m.Requirement), mdCell(cut(m.Sent, cellBytes)), mdCell(cut(m.Got, cellBytes))))
		}
		p.folded(counted(len(rows), "other failure")+" of this kind", mdHead("requirement", "sent", "got"), rows)
	}
}

// suspects lists the requests of which one may have ended the target.
func suspects(f report.Failure) string {
	var out []string
	for i, one := range f.Suspects {
		if i == maxSuspects {
			out = append(out, fmt.Sprintf("and %d more: see the JSON report", len(f.Suspects)-i))
			break
		}
		out = append(out, mdCode(cut(one, sentenceOf)))
	}
	return strings.Join(out, ", ")
}

// failure writes one way in which a requirement failed, below the rows of the head.
func (p *mdPage) failure(head [][2]string, f report.Failure) {
	p.list(append(head, [][2]string{
		{"sent", mdCode(cut(f.Sent, cellBytes))},
		{"expected", mdCode(cut(f.Expected, cellBytes))},
		{"got", mdCode(cut(answerOf(&f), cellBytes))},
		{"classes", mdCode(strings.TrimPrefix(classCounts(f.Classes), "; "))},
		{"common", mdCode(cut(f.Common, cellBytes))},
		{"cause", mdCode(cut(f.Cause, cellBytes))},
		{"suspects", suspects(f)},
		{"repeated", mdProse(cut(again(&f), cellBytes))},
		{"replay", mdCode(cut(f.Replay, sentenceOf))},
	}...))
	var story []string
	for i, line := range f.Story {
		story = append(story, fmt.Sprintf("%d. %s", i+1, mdCode(cut(line, cellBytes))))
	}
	if len(story) > 0 {
		p.block("%s", strings.Join(story, "\n"))
	}
	if len(f.Steps) > 0 {
		s := newPage(Options{Width: p.width})
		s.steps(0, f.Steps, stepsShown, requestLines, responseLines)
		what := "The smallest request:"
		if !f.Minimal {
			what = "The request (it may not be the smallest):"
		}
		p.block("%s", what)
		p.block("%s", strings.TrimRight(mdFence("text", s.String()), "\n"))
	}
	if newPage(Options{}).canPaste(f.Curl) {
		p.block("%s", strings.TrimRight(mdFence("sh", f.Curl), "\n"))
	}
}

// findingTable writes findings in a row each.
func (p *mdPage) findingTable(list []issue, heading string) {
	var rows []string
	for _, x := range list {
		f, _ := x.failure()
		rows = append(rows, mdRow(mdProse(cut(x.title(), cellBytes))+" "+mdCell(x.ID), mdCell(x.result.Requirement)+more(len(x.others)), mdProse(cut(evidence(x.result), cellBytes)),
			mdCell(cut(f.Sent, cellBytes)), mdCell(cut(f.Expected, cellBytes)), mdCell(cut(answerOf(&f), cellBytes)), mdCell(cut(f.Replay, cellBytes))))
	}
	p.table(heading, mdHead("finding", "requirement", "evidence", "sent", "expected", "got", "replay"), rows)
}

// more says how many others there are.
func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// requirements writes the failed ones, if the findings above do not name each.
func (p *mdPage) requirements(failed []report.Result, told int) {
	var rows []string
	for _, x := range failed {
		rows = append(rows, mdRow(mdCell(x.Requirement), mdProse(string(x.Level)), mdProse(cut(x.Sentence, cellBytes)), caseCounts(x.Cases)))
	}
	if len(rows) > told {
		p.table("Failed requirements", mdHead("requirement", "level", "rule", "cases"), rows)
	}
}

// known writes the entries of the file of known failures that no longer hold, and the
// failures that it has.
func (p *mdPage) known(v *view) {
	var rows []string
	for _, x := range v.stale {
		rows = append(rows, mdRow(mdProse(x.Sentence)))
	}
	p.table("Known failures out of date", mdHead("line of the file"), rows)
	rows = nil
	for _, x := range v.knownIssues() {
		rows = append(rows, mdRow(mdProse(cut(x.title(), cellBytes))+" "+mdCell(x.ID), mdCell(x.result.Requirement)+more(len(x.others)), mdProse(cut(x.accepted(), cellBytes)), mdCell(cut(gist(x.result), cellBytes))))
	}
	p.table("Known failures", mdHead("finding", "requirement", "reason", "failure"), rows)
}

// notTried writes what the verdict does not cover, with the reasons.
func (p *mdPage) notTried(r *report.Report) {
	var rows []string
	for _, g := range untriedKinds(r) {
		rows = append(rows, mdRow(g.Kind, strconv.Itoa(g.Count), mdCell(cut(g.Who, cellBytes)), mdProse(cut(g.Reason, cellBytes))))
	}
	for _, what := range r.Header.Selection {
		rows = append(rows, mdRow("selection", "", "", mdCell(cut(what, cellBytes))))
	}
	if r.Header.Shard != nil {
		rows = append(rows, mdRow("shard", "", "", mdCell(r.Header.Shard.String())))
	}
	if limited := heldBack(r); limited != "" {
		rows = append(rows, mdRow("limits", "", "", mdProse(cut(limited, sentenceOf))))
	}
	p.table("Not tried", mdHead("", "count", "which", "reason"), rows)
}

// observed writes what the target does where the specification is silent.
func (p *mdPage) observed(r *report.Report) {
	var rows []string
	for _, x := range r.Observed {
		if len(x.Seen) > 0 {
			rows = append(rows, mdRow(mdCell(x.Requirement), mdProse(cut(x.Sentence, cellBytes)), mdCell(cut(habits(x.Seen), cellBytes))))
		}
	}
	p.table("Observed where the specification is silent (not judged)", mdHead("open point", "rule", "observed"), rows)
}

// table writes a table, behind a line to open it if it is long.
func (p *mdPage) table(heading, head string, rows []string) {
	if len(rows) == 0 {
		return
	}
	p.block("## %s", heading)
	if len(rows) <= rowsOpen {
		p.block("%s", head+strings.Join(rows, "\n"))
		return
	}
	p.folded(counted(len(rows), "row"), head, rows)
}

// folded writes a table behind a line that opens it.
func (p *mdPage) folded(summary, head string, rows []string) {
	shown := rows
	if len(rows) > rowsShown+1 {
		shown = rows[:rowsShown]
	}
	p.block("<details><summary>%s</summary>", summary)
	p.block("%s", head+strings.Join(shown, "\n"))
	if n := len(rows) - len(shown); n > 0 {
		p.block("%d more are in the JSON report.", n)
	}
	p.block("</details>")
}

// mdHead is the head of a table.
func mdHead(cells ...string) string {
	return mdRow(cells...) + "\n" + strings.Repeat("|---", len(cells)) + "|\n"
}

// mdRow is a row of cells that are escaped already.
func mdRow(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

const tooLong = "\nThis report is too long for this place and was cut here. --report markdown=FILE writes the whole.\n"

// CutMarkdown keeps at most so many bytes of a report that Markdown wrote. It cuts
// between two lines, closes what is open there, and says so. The verdict is at the
// top, and stays. The result is empty if there is no room to say anything.
func CutMarkdown(text []byte, maximum int) []byte {
	if len(text) <= maximum {
		return text
	}
	var open []string // what has to be written behind each line, outermost first
	kept, ending := 0, ""
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.TrimRight(string(text[at:end]), "\n")
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		fenced := len(open) > 0 && open[len(open)-1][0] == '`'
		switch {
		case fenced && line == open[len(open)-1], !fenced && line == "</details>" && len(open) > 0:
			open = open[:len(open)-1]
		case fenced:
		case len(mark) >= 3:
			open = append(open, mark)
		case strings.HasPrefix(line, "<details>"):
			open = append(open, "</details>")
		}
		closing := closed(open)
		if end+len(closing)+len(tooLong) > maximum {
			break
		}
		kept, ending, at = end, closing, end
	}
	if kept == 0 {
		return nil
	}
	return append(append(bytes.Clone(text[:kept]), ending...), tooLong...)
}

// closed ends what is open, innermost first.
func closed(open []string) string {
	out := ""
	for _, mark := range open {
		if mark[0] == '`' {
			out = mark + "\n" + out
		} else {
			out = "\n" + mark + "\n" + out
		}
	}
	return out
}
