package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Matrix puts reports beside each other: a column for each, in their order, and a row for
// each requirement and open point. There has to be a report. Reports about documents with
// different bytes are a *DocumentsError, with the names of the two in front.
func Matrix(list []report.Named) (*report.Matrix, error) {
	first := list[0].Report.Header
	m := &report.Matrix{Version: report.Version, Document: first.Document, Digest: first.Digest, Differ: differ(list)}
	for _, x := range list {
		if h := x.Report.Header; h.Digest != first.Digest {
			return nil, fmt.Errorf("%s and %s: %w", list[0].Name, x.Name, &DocumentsError{first.Document, h.Document})
		}
	}
	m.Requirements, m.Observed, m.Findings = rows(list), points(list), found(list)
	for i, x := range list {
		m.Implementations = append(m.Implementations, implementation(x, i, m.Requirements))
	}
	return m, nil
}

// rows has a row for each requirement that any report has.
func rows(list []report.Named) []report.MatrixRow {
	out := []report.MatrixRow{}
	at := map[string]int{}
	ids := inOrder(list, func(r *report.Report) (ids []string) {
		for i := range r.Results {
			ids = append(ids, r.Results[i].Requirement)
		}
		return ids
	})
	for i, id := range ids {
		at[id] = i
		out = append(out, report.MatrixRow{Requirement: id, Cells: make([]report.MatrixCell, len(list))})
	}
	for column, x := range list {
		for _, r := range byID(x.Report) {
			row := &out[at[r.Requirement]]
			row.Cells[column] = cell(r)
			if row.Level == "" || stronger(r.Level, row.Level) {
				row.Level = r.Level
			}
			if row.Sentence == "" {
				row.Sentence, row.Clause, row.Operation = r.Sentence, r.Clause, r.Operation
			}
		}
	}
	return out
}

// found has a row for each finding that any report has, the worst first.
func found(list []report.Named) []report.MatrixFinding {
	out := []report.MatrixFinding{}
	at := map[string]int{}
	for column, x := range list {
		for _, f := range x.Report.Found() {
			i, there := at[f.ID]
			if !there {
				i, at[f.ID] = len(out), len(out)
				out = append(out, report.MatrixFinding{ID: f.ID, Category: f.Category, Sentence: f.Sentence, Failed: make([]int, len(list))})
			}
			out[i].Failed[column] += len(f.Requirements)
		}
	}
	slices.SortStableFunc(out, func(a, b report.MatrixFinding) int {
		return cmp.Compare(slices.Index(report.Categories(), a.Category), slices.Index(report.Categories(), b.Category))
	})
	return out
}

// stronger reports whether a level binds more than another. Reports of one document
// differ in it only if they had different requirements files.
func stronger(a, b report.Level) bool {
	order := report.Levels()
	return slices.Index(order, a) < slices.Index(order, b)
}

func cell(r *report.Result) report.MatrixCell {
	c := report.MatrixCell{Verdict: r.Verdict, Known: r.Verdict == report.Fail && r.Known != nil}
	if r.Verdict != report.Pass && r.Verdict != report.Fail {
		c.Reason = r.Reason
	}
	if len(r.Failures) > 0 {
		c.Sent, c.Got = r.Failures[0].Sent, r.Failures[0].Got
	}
	return c
}

// inOrder joins lists of ids into one that keeps the order of each, as far as they agree:
// an id that the first report does not have stands behind the one that it follows.
func inOrder(list []report.Named, of func(*report.Report) []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, x := range list {
		at := 0 // behind the last id that both have
		known := map[string]int{}
		for i, id := range out {
			known[id] = i
		}
		var joined []string
		for _, id := range of(x.Report) {
			if i, both := known[id]; both && i >= at {
				joined = append(joined, out[at:i+1]...)
				at = i + 1
			} else if !seen[id] {
				joined = append(joined, id)
			}
			seen[id] = true
		}
		out = append(joined, out[at:]...)
	}
	return out
}

// implementation describes a column, and counts its verdicts.
func implementation(x report.Named, column int, rows []report.MatrixRow) report.Implementation {
	r := x.Report
	out := report.Implementation{Name: x.Name, Target: r.Header.Target, Tool: r.Tool, Verdict: r.Summary.Verdict,
		Partial: r.Summary.Partial || r.Header.Partial(), NamedCases: r.Header.NamedCases, Traced: r.Header.Traced, FailOn: r.Header.FailOn, Levels: []report.LevelCount{}}
	for i := range r.Results {
		out.Judged += r.Results[i].Cases.Judged
	}
	for _, level := range []report.Level{report.Must, report.Should, report.May, report.Suspected} {
		count := report.LevelCount{Level: level}
		for i := range rows {
			if rows[i].Level != level {
				continue
			}
			switch c := rows[i].Cells[column]; {
			case c.Known:
				count.Known++
			case c.Verdict == report.Fail:
				count.Failed++
			case c.Verdict == report.Pass:
				count.Passed++
			case c.Verdict == report.Inapplicable:
				count.Inapplicable++
			default:
				count.Undecided++
			}
		}
		if count != (report.LevelCount{Level: level}) {
			out.Levels = append(out.Levels, count)
		}
	}
	return out
}

// points has a row for each open point that any report has, with the answers of all.
func points(list []report.Named) []report.MatrixPoint {
	out := []report.MatrixPoint{}
	ids := inOrder(list, func(r *report.Report) (ids []string) {
		for i := range r.Observed {
			ids = append(ids, r.Observed[i].Requirement)
		}
		return ids
	})
	for _, id := range ids {
		point := report.MatrixPoint{Requirement: id, Answers: []report.MatrixAnswer{}}
		at := map[string]int{}
		for column, x := range list {
			i := slices.IndexFunc(x.Report.Observed, func(o report.Observe) bool { return o.Requirement == id })
			if i < 0 {
				continue
			}
			o := &x.Report.Observed[i]
			if point.Sentence == "" {
				point.Sentence, point.Clause = o.Sentence, o.Clause
			}
			for _, s := range o.Seen {
				if _, there := at[s.What]; !there {
					at[s.What] = len(point.Answers)
					point.Answers = append(point.Answers, report.MatrixAnswer{What: s.What, Counts: make([]int, len(list))})
				}
				point.Answers[at[s.What]].Counts[column] += s.Count
			}
		}
		slices.SortStableFunc(point.Answers, func(a, b report.MatrixAnswer) int {
			return cmp.Or(cmp.Compare(givers(b), givers(a)), strings.Compare(a.What, b.What))
		})
		out = append(out, point)
	}
	return out
}

// givers is how many implementations gave an answer.
func givers(a report.MatrixAnswer) (n int) {
	for _, count := range a.Counts {
		if count > 0 {
			n++
		}
	}
	return n
}

// differ says in what the runs differ besides the target: each value, with the names of
// those that have it.
func differ(list []report.Named) []string {
	var out []string
	for _, s := range inputs() {
		var values []string
		who := map[string][]string{}
		for _, x := range list {
			v := orNone(s.of(x.Report))
			if who[v] == nil {
				values = append(values, v)
			}
			who[v] = append(who[v], x.Name)
		}
		if len(values) < 2 {
			continue
		}
		for i, v := range values {
			values[i] = v + " in " + strings.Join(who[v], " and ")
		}
		out = append(out, s.name+" "+strings.Join(values, ", "))
	}
	return out
}
