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

// matrixPage is what the template shows. Its texts are escaped by the template.
type matrixPage struct {
	htmlParts
	*report.Matrix

	Columns            []matrixColumn
	Levels, Operations []htmlChoice
	Rows               []matrixRequirement
	Points             []matrixPoint
	// Described is how many failures the page describes, and Cut how many it leaves to the
	// JSON form.
	Described, Cut int
}

// matrixRequirement is a row of the table of requirements.
type matrixRequirement struct {
	report.MatrixRow
	N               int    // from 1
	Choice          string // the value of the operation in the filter, or empty
	Failed, Differs bool
	Cells           []matrixMark
	Failures        []matrixFailure
}

// matrixMark is a cell of the table. Link is where the failure is described; empty where it
// is not.
type matrixMark struct{ Word, Link string }

// matrixFailure says how an implementation failed. ID is where the page has it.
type matrixFailure struct {
	report.MatrixCell
	ID, Name, Word string
}

// matrixPoint is an open point, with the answers that the page has room for.
type matrixPoint struct {
	report.MatrixPoint
	Shares []matrixRow
	More   int
}

// MatrixHTML writes one page for a browser, as HTML does for one report.
func MatrixHTML(w io.Writer, m *report.Matrix, _ Options) error {
	return writeHTML(w, "html matrix", newMatrixPage(matrixOf(m)), matrixTemplate)
}

func newMatrixPage(v *matrixView) *matrixPage {
	p := &matrixPage{htmlParts: newHTMLParts(htmlStyle+matrixStyle, htmlFilter), Matrix: v.Matrix, Columns: v.columns}
	p.rows(v)
	for n, x := range v.Observed {
		shown := min(len(x.Answers), rowsShown)
		p.Points = append(p.Points, matrixPoint{x, v.points[n][:shown], len(x.Answers) - shown})
	}
	return p
}

// rows fills the table of requirements and the descriptions of failures.
func (p *matrixPage) rows(v *matrixView) {
	var levelNames, operations []string
	for n, x := range v.Requirements {
		row := matrixRequirement{MatrixRow: x, N: n + 1, Differs: !v.rows[n].alike()}
		for i, c := range x.Cells {
			mark := matrixMark{Word: v.rows[n][i]}
			if mark.Word == matrixAbsent {
				c.Reason = "not in the report"
			}
			if mark.Word != string(report.Pass) && mark.Word != shownObserved {
				if p.Described == matrixCells {
					p.Cut++
				} else {
					p.Described++
					mark.Link = fmt.Sprintf("c%d-%d", row.N, i+1)
					row.Failures = append(row.Failures, matrixFailure{c, mark.Link, v.columns[i].Name, mark.Word})
				}
			}
			row.Failed = row.Failed || c.Verdict == report.Fail
			row.Cells = append(row.Cells, mark)
		}
		levelNames, operations = append(levelNames, Escape(string(x.Level))), append(operations, Escape(x.Operation))
		p.Rows = append(p.Rows, row)
	}
	p.Levels = choices(nil, levelNames)
	var at map[string]string
	p.Operations, at = operationChoices(operations)
	for i := range p.Rows {
		p.Rows[i].Choice = at[operations[i]]
	}
}
