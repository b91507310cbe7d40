package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// htmlWarning and htmlObserved are what a row says instead of a verdict: a failure
// that does not gate, one that only evidence suggests, an open point, which has no verdict, and a known failure.
const (
	htmlWarning   = "warning"
	htmlObserved  = "observed"
	htmlKnown     = "known"
	htmlSuspected = "suspected"
)

// htmlVerdicts is the order in which verdicts are told, worst first.
func htmlVerdicts() []string {
	return []string{string(report.Fail), htmlKnown, htmlWarning, htmlSuspected, string(report.Error), string(report.Inconclusive),
		string(report.Pass), string(report.Inapplicable), htmlObserved}
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
	// Choice is the index of the operation in the filter, or empty.
	Choice string
	Cases  string
	Failed bool // there is a section about it
}

// rows fills the table, its filters and the counts.
func (p *htmlPage) rows(r *report.Report, o Options) {
	var verdicts, levelNames, operations []string
	for i, x := range r.Results {
		row := htmlRow{N: i + 1, Verdict: shownVerdict(x.Verdict, x.Level, x.Known != nil, o.gates(x.Level)), Level: Escape(string(x.Level)), ID: Escape(x.Requirement),
			Sentence: Escape(withEvidence(x)), Clause: Escape(clauseOf(x)), Reason: cut(x.Reason, htmlFieldRunes), Fix: cut(x.Fix, htmlFieldRunes), Explain: Escape(r.Header.Explain(x.Requirement)),
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
		return htmlObserved
	case v == report.Fail && known:
		return htmlKnown
	case v == report.Fail && !gates && l == report.Suspected:
		return htmlSuspected
	case v == report.Fail && !gates:
		return htmlWarning
	case slices.Contains(htmlVerdicts(), string(v)):
		return string(v)
	}
	return string(report.Inconclusive) // a report of a newer suite: never green
}

// htmlPoint is an open point and what the target does there.
type htmlPoint struct {
	ID, Sentence, Clause string
	Seen                 []htmlSeen
}

// htmlSeen is one observation.
type htmlSeen struct {
	What  string
	Count int
	Kinds []string
}

// observed fills the profile of the target.
func (p *htmlPage) observed(r *report.Report) {
	for _, x := range r.Observed {
		point := htmlPoint{ID: Escape(x.Requirement), Sentence: Escape(x.Sentence), Clause: Escape(x.Clause)}
		for _, s := range x.Seen {
			seen := htmlSeen{What: cut(s.What, htmlFieldRunes), Count: s.Count}
			for _, k := range s.Kinds {
				seen.Kinds = append(seen.Kinds, Escape(k))
			}
			point.Seen = append(point.Seen, seen)
		}
		p.Observed = append(p.Observed, point)
	}
}

// htmlSecond is the second opinion.
type htmlSecond struct {
	Agreement   string
	Differences []htmlDifference
}

// htmlDifference is an answer of which the two judges say different things.
type htmlDifference struct{ Answer, Exact, Second, Answers, Case, Body string }

func htmlOpinion(o *report.SecondOpinion) *htmlSecond {
	if agreement(o) == "" {
		return nil
	}
	out := &htmlSecond{Agreement: Escape(agreement(o))}
	for _, d := range o.Differences {
		out.Differences = append(out.Differences, htmlDifference{Answer: fmt.Sprintf("%d, %s", d.Status, Escape(d.ContentType)),
			Exact: Escape(d.Exact), Second: cut(d.Second, htmlFieldRunes), Answers: counted(d.Answers, "answer"),
			Case: Escape(d.Case), Body: cut(string(d.Body.Data), htmlFieldRunes)})
	}
	return out
}
