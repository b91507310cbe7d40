package formats

import (
	"bytes"
	_ "embed" // the parts of the page are files
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	"plantstore/conformance/report"
)

// The parts of the page that the page of a report does not have.
var (
	//go:embed html/matrix.tmpl
	matrixTemplate string
	//go:embed html/matrix.css
	matrixStyle string
	//go:embed html/matrix.js
	matrixScript string
)

// matrixCells is how many cells of failures the page describes.
const matrixCells = 3000

// matrixPage is what the template shows. Its texts are escaped for a reader, but not for
// HTML: that is the work of the template.
type matrixPage struct {
	Policy, Style, Script template.HTML

	Document, Digest string
	Differ           []string
	Columns          []matrixColumn
	Levels           []htmlChoice
	Operations       []htmlChoice
	Rows             []matrixRow
	Points           []matrixPoint
	// Described is how many failures the page describes, and Cut how many it leaves to the
	// JSON form.
	Described, Cut int
}

// matrixColumn is an implementation.
type matrixColumn struct{ Name, Target, Tool, Look, Verdict string }

// matrixRow is a requirement.
type matrixRow struct {
	N                           int // from 1
	ID, Level, Sentence, Clause string
	Operation, Choice           string
	Failed, Differs             bool
	Cells                       []matrixMark
	Failures                    []matrixFailure
}

// matrixMark is a cell of the table.
type matrixMark struct {
	Name, Word string
	// Link is where the failure is described; empty where it is not.
	Link string
}

// matrixFailure says how an implementation failed.
type matrixFailure struct{ N, Column, Name, Word, Sent, Got, Reason string }

// matrixPoint is an open point.
type matrixPoint struct {
	ID, Sentence, Clause string
	Answers              []matrixAnswer
	More                 string
}

// matrixAnswer is a row of the table of open points.
type matrixAnswer struct {
	What  string
	Cells []matrixMark
}

// MatrixHTML writes one page for a browser, as HTML does for one report.
func MatrixHTML(w io.Writer, m *report.Matrix, _ Options) error {
	t, err := template.New("matrix").Parse(matrixTemplate)
	if err != nil {
		return fmt.Errorf("html matrix: %w", err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, newMatrixPage(m)); err != nil {
		return fmt.Errorf("html matrix: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}

func newMatrixPage(m *report.Matrix) *matrixPage {
	css := htmlStyle + matrixStyle
	p := &matrixPage{Policy: htmlPolicy(css, matrixScript), Style: template.HTML("<style>" + css + "</style>"),
		Script: template.HTML("<script>" + matrixScript + "</script>"), Document: Escape(m.Document), Digest: Escape(m.Digest)}
	for _, line := range m.Differ {
		p.Differ = append(p.Differ, cut(line, htmlFieldRunes))
	}
	for _, x := range m.Implementations {
		line, st := matrixLine(x)
		look := map[style]string{good: "good", bad: "bad"}[st]
		p.Columns = append(p.Columns, matrixColumn{Name: cut(x.Name, cellBytes), Target: cut(x.Target, cellBytes), Tool: Escape(x.Tool), Look: orElse(look, "doubtful"), Verdict: line})
	}
	p.rows(m)
	for _, x := range m.Observed {
		point := matrixPoint{ID: Escape(x.Requirement), Sentence: Escape(x.Sentence), Clause: Escape(x.Clause)}
		list := shares(x)
		for k, a := range x.Answers[:min(len(x.Answers), rowsShown)] {
			answer := matrixAnswer{What: cut(a.What, cellBytes)}
			for i, word := range list[k] {
				answer.Cells = append(answer.Cells, matrixMark{Name: p.Columns[i].Name, Word: word})
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
			Operation: Escape(x.Operation), Differs: !alike(list)}
		for i, c := range x.Cells {
			mark := matrixMark{Name: p.Columns[i].Name, Word: list[i]}
			if mark.Word == matrixAbsent {
				c.Reason = "not in the report"
			}
			if mark.Word != string(report.Pass) && mark.Word != htmlObserved {
				if p.Described == matrixCells {
					p.Cut++
				} else {
					p.Described++
					f := matrixFailure{N: strconv.Itoa(row.N), Column: strconv.Itoa(i + 1), Name: mark.Name, Word: mark.Word,
						Sent: cut(c.Sent, cellBytes), Got: cut(c.Got, cellBytes), Reason: cut(c.Reason, cellBytes)}
					mark.Link = "c" + f.N + "-" + f.Column
					row.Failures = append(row.Failures, f)
				}
			}
			row.Failed = row.Failed || c.Verdict == report.Fail
			row.Cells = append(row.Cells, mark)
		}
		levelNames, operations = append(levelNames, row.Level), append(operations, row.Operation)
		p.Rows = append(p.Rows, row)
	}
	p.Levels, p.Operations = choices(nil, levelNames), choices(nil, operations)
	for i := range p.Operations {
		p.Operations[i].Value = strconv.Itoa(i)
	}
	for i := range p.Rows {
		at := slices.IndexFunc(p.Operations, func(c htmlChoice) bool { return c.Text == p.Rows[i].Operation })
		if at >= 0 {
			p.Rows[i].Choice = strconv.Itoa(at)
		}
	}
}
