package formats

import (
	_ "embed" // the parts of the page are files
	"fmt"
	"io"

	"plantstore/conformance/report"
)

// The parts of the page that the page of a report does not have.
var (
	//go:embed html/matrix.tmpl
	matrixTemplate string
	//go:embed html/matrix.css
	matrixStyle string
)

// matrixCells is how many cells of failures the page describes.
const matrixCells = 3000

// matrixPage is what the template shows. Its texts are escaped for a reader, but not for
// HTML: that is the work of the template.
type matrixPage struct {
	htmlParts

	Document, Digest string
	Differ           []string
	Columns          []matrixColumn
	Levels           []htmlChoice
	Operations       []htmlChoice
	Findings         []matrixFinding
	Rows             []matrixRow
	Points           []matrixPoint
	// Described is how many failures the page describes, and Cut how many it leaves to the
	// JSON form.
	Described, Cut int
}

// matrixColumn is an implementation.
type matrixColumn struct{ Name, Target, Tool, Look, Verdict, Findings string }

// matrixFinding is a finding, and how many requirements of it each implementation fails.
type matrixFinding struct {
	ID, Category, Sentence string
	Cells                  []string
}

// matrixRow is a requirement.
type matrixRow struct {
	N                           int // from 1
	ID, Level, Sentence, Clause string
	Choice                      string // the value of the operation in the filter, or empty
	Failed, Differs             bool
	Cells                       []matrixMark
	Failures                    []matrixFailure
}

// matrixMark is a cell of the table.
type matrixMark struct {
	Word string
	// Link is where the failure is described; empty where it is not.
	Link string
}

// matrixFailure says how an implementation failed. ID is where the page has it.
type matrixFailure struct{ ID, Name, Word, Sent, Got, Reason string }

// matrixPoint is an open point.
type matrixPoint struct {
	ID, Sentence string
	Answers      []matrixAnswer
	More         string
}

// matrixAnswer is a row of the table of open points.
type matrixAnswer struct {
	What  string
	Cells []matrixMark
}

// MatrixHTML writes one page for a browser, as HTML does for one report.
func MatrixHTML(w io.Writer, m *report.Matrix, _ Options) error {
	return writeHTML(w, "html matrix", newMatrixPage(m), matrixTemplate)
}

func newMatrixPage(m *report.Matrix) *matrixPage {
	p := &matrixPage{htmlParts: newHTMLParts(htmlStyle+matrixStyle, htmlFilter), Document: Escape(m.Document), Digest: Escape(m.Digest)}
	for _, line := range m.Differ {
		p.Differ = append(p.Differ, cut(line, htmlFieldRunes))
	}
	for i, x := range m.Implementations {
		line, st := matrixLine(x)
		p.Columns = append(p.Columns, matrixColumn{Name: cut(x.Name, cellBytes), Target: cut(x.Target, cellBytes), Tool: Escape(x.Tool), Look: look(st), Verdict: line, Findings: matrixCategories(m, i)})
	}
	for _, f := range m.Findings {
		row := matrixFinding{ID: Escape(f.ID), Category: Escape(string(f.Category)), Sentence: cut(f.Sentence, sentenceOf)}
		for _, n := range f.Failed {
			row.Cells = append(row.Cells, failedCell(n))
		}
		p.Findings = append(p.Findings, row)
	}
	p.rows(m)
	for _, x := range m.Observed {
		point := matrixPoint{ID: Escape(x.Requirement), Sentence: Escape(x.Sentence)}
		list := shares(x)
		for k, a := range x.Answers[:min(len(x.Answers), rowsShown)] {
			answer := matrixAnswer{What: cut(a.What, cellBytes)}
			for _, word := range list[k] {
				answer.Cells = append(answer.Cells, matrixMark{Word: word})
			}
			point.Answers = append(point.Answers, answer)
		}
		if n := len(x.Answers) - rowsShown; n > 0 {
			point.More = moreAnswers(n) + " in the JSON form"
		}
		p.Points = append(p.Points, point)
	}
	return p
}

// rows fills the table of requirements and the descriptions of failures.
func (p *matrixPage) rows(m *report.Matrix) {
	var levelNames, operations []string
	for n, x := range m.Requirements {
		list := words(m, x)
		row := matrixRow{N: n + 1, ID: Escape(x.Requirement), Level: Escape(string(x.Level)), Sentence: Escape(x.Sentence), Clause: Escape(x.Clause),
			Differs: !alike(list)}
		for i, c := range x.Cells {
			mark := matrixMark{Word: list[i]}
			if mark.Word == matrixAbsent {
				c.Reason = "not in the report"
			}
			if mark.Word != string(report.Pass) && mark.Word != shownObserved {
				if p.Described == matrixCells {
					p.Cut++
				} else {
					p.Described++
					mark.Link = fmt.Sprintf("c%d-%d", row.N, i+1)
					row.Failures = append(row.Failures, matrixFailure{ID: mark.Link, Name: p.Columns[i].Name, Word: mark.Word,
						Sent: cut(c.Sent, cellBytes), Got: cut(c.Got, cellBytes), Reason: cut(c.Reason, cellBytes)})
				}
			}
			row.Failed = row.Failed || c.Verdict == report.Fail
			row.Cells = append(row.Cells, mark)
		}
		levelNames, operations = append(levelNames, row.Level), append(operations, Escape(x.Operation))
		p.Rows = append(p.Rows, row)
	}
	p.Levels = choices(nil, levelNames)
	var at map[string]string
	p.Operations, at = operationChoices(operations)
	for i := range p.Rows {
		p.Rows[i].Choice = at[operations[i]]
	}
}
