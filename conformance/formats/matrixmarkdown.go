package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// matrixSign is the sign of a word in a cell of Markdown, where words would make the
// table too wide.
func matrixSign(word string) string {
	switch word {
	case string(report.Pass), matrixAlways:
		return "✓"
	case string(report.Fail):
		return "**✗**"
	case htmlKnown, htmlWarning, string(report.Error):
		return "!"
	case string(report.Inconclusive):
		return "?"
	case matrixPartly:
		return "some"
	case htmlObserved:
		return "o"
	}
	return "–" // inapplicable, not tried, or an answer that was not given
}

const matrixLegend = "✓ passes, **✗** fails, ! fails in a way that does not count (a SHOULD, or a known failure) or met an error of the suite, " +
	"? could not be decided, – was not tried or does not apply."

// MatrixMarkdown writes the matrix as a page: the verdict on each implementation, a table
// of the requirements, and one of the open points. What a target says is escaped.
func MatrixMarkdown(w io.Writer, m *report.Matrix, _ Options) error {
	p := &mdPage{width: defaultWidth}
	p.block("# Implementations of %s", mdProse(m.Document))
	if len(m.Differ) > 0 {
		p.block("The runs differ: %s.", mdProse(cut(strings.Join(m.Differ, "; "), sentenceOf)))
	}
	var list []string
	for _, x := range m.Implementations {
		line, _ := matrixLine(x)
		outcome, counts, _ := strings.Cut(line, ": ")
		list = append(list, mdRow(mdCell(cut(x.Name, cellBytes)), mdProse(outcome), mdProse(counts)))
	}
	p.block("%s", mdHead("implementation", "verdict", "requirements")+strings.Join(list, "\n"))

	names := []string{}
	for _, x := range m.Implementations {
		names = append(names, mdCell(cut(x.Name, cellBytes)))
	}
	list = nil
	for _, row := range m.Requirements {
		cells := []string{mdCell(cut(row.Requirement, cellBytes)), mdProse(string(row.Level))}
		for _, word := range words(m, row) {
			cells = append(cells, matrixSign(word))
		}
		list = append(list, mdRow(cells...))
	}
	if len(list) > 0 {
		p.block("## Requirements")
		p.block("%s", matrixLegend+" `conformance explain ID` says what a requirement asks for.")
		p.block("%s", mdHead(append([]string{"requirement", "level"}, names...)...)+strings.Join(list, "\n"))
	}
	list = nil
	for _, point := range m.Observed {
		list = append(list, pointRows(point)...)
	}
	if len(list) > 0 {
		p.block("## Open points")
		p.block("The specification is silent here. What an implementation does is observed, and never judged: ✓ marks an answer that it always gives, and \"some\" one that it gives to some requests.")
		p.block("%s", mdHead(append([]string{"open point", "answer"}, names...)...)+strings.Join(list, "\n"))
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// pointRows has a row for each answer to an open point.
func pointRows(point report.MatrixPoint) []string {
	var out []string
	id := mdCell(cut(point.Requirement, cellBytes))
	list := shares(point)
	for k, a := range point.Answers[:min(len(point.Answers), answersShown)] {
		cells := []string{id, mdCell(cut(a.What, cellBytes))}
		for _, word := range list[k] {
			cells = append(cells, matrixSign(word))
		}
		out = append(out, mdRow(cells...))
	}
	if n := len(point.Answers) - answersShown; n > 0 {
		out = append(out, mdRow(id, fmt.Sprintf("%s in the JSON form", moreAnswers(n))))
	}
	return out
}
