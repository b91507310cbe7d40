package formats

import (
	"fmt"
	"io"
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
	line, _ := verdictLine(r, o)
	p.block("# %s", mdProse(line))
	p.list([][2]string{{"target", mdTarget(r.Header)}, {"document", mdCode(cut(r.Header.Document, cellBytes))}, {"counts", counts(r)}})
	failed, warned, suspected := split(r, o)
	if len(failed) > 0 {
		p.block("## Failed: %s", counted(len(failed), "requirement"))
	}
	for _, x := range failed[:min(len(failed), fullFailures)] {
		p.requirement(x, r.Header.Explain(x.Requirement))
	}
	if more := failed[min(len(failed), fullFailures):]; len(more) > 0 {
		p.failedTable(more, "More failed requirements")
	}
	p.failedTable(warned, "Warnings")
	p.failedTable(suspected, "Suspected: descriptions and names suggest it, and the exit code does not depend on it")
	p.known(r)
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

// requirement writes one failed requirement in full. The command explains it.
func (p *mdPage) requirement(x report.Result, command string) {
	p.block("### %s (%s)", mdCode(x.Requirement), mdProse(string(x.Level)))
	clause := mdCode(cut(x.Clause, sentenceOf))
	if at := x.Place; at != nil {
		clause += ", " + mdCode(cut(fmt.Sprintf("%s:%d", at.File, at.Line), sentenceOf))
	}
	head := [][2]string{
		{"rule", mdProse(cut(x.Sentence, sentenceOf))},
		{"clause", clause},
		{"evidence", mdProse(cut(evidence(x), sentenceOf))},
		{"fix", mdProse(cut(x.Fix, sentenceOf))},
		{"explain", mdCode(cut(command, sentenceOf))},
		{"cases", caseCounts(x.Cases)},
	}
	if len(x.Failures) != 1 {
		p.list(head)
		head = nil
	}
	for i, f := range x.Failures {
		if i == waysShown && len(x.Failures) > i+1 {
			p.block("%d more failures are in the JSON report.", len(x.Failures)-i)
			break
		}
		if len(x.Failures) > 1 {
			p.block("#### Failure %d of %d", i+1, len(x.Failures))
		}
		p.failure(head, f)
	}
}

// suspects lists the requests of which one may have ended the target.
func suspects(f report.Failure) string {
	var out []string
	for _, one := range f.Suspects {
		out = append(out, mdCode(cut(one, sentenceOf)))
	}
	return strings.Join(out, ", ")
}

// failure writes one way in which a requirement failed, below the rows of the head.
func (p *mdPage) failure(head [][2]string, f report.Failure) {
	again := ""
	switch {
	case f.NotTriedAgain != "":
		again = "not tried again: " + mdProse(cut(f.NotTriedAgain, cellBytes))
	case !f.Stable && f.Cause == "":
		again = "unstable: it passed when tried again"
	}
	p.list(append(head, [][2]string{
		{"sent", mdCode(cut(f.Sent, cellBytes))},
		{"expected", mdCode(cut(f.Expected, cellBytes))},
		{"got", mdCode(cut(f.Got, cellBytes))},
		{"classes", mdCode(strings.TrimPrefix(classCounts(f.Classes), "; "))},
		{"common", mdCode(cut(f.Common, cellBytes))},
		{"cause", mdCode(cut(f.Cause, cellBytes))},
		{"suspects", suspects(f)},
		{"repeated", again},
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
