package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Request identifies a request of a run: a case and its step.
type Request struct {
	Case string
	Step int
}

// Targets tells where two runs of one plan differ. The answers say how each request was
// answered, without values that change from one request to the next.
func Targets(a, b *report.Report, inA, inB map[Request]string) *report.TargetDiff {
	d := &report.TargetDiff{Version: report.Version, A: side(a), B: side(b), Differ: settings(a, b), Verdicts: []report.Change{},
		Answers: differently(inA, inB), Observed: observed(a, b)}
	if x, y := a.Header.Generation, b.Header.Generation; x != y {
		d.Differ = append(d.Differ, fmt.Sprintf("dataset generation %d, then %d", x, y))
	}
	of := byID(a)
	for i := range b.Results {
		is := &b.Results[i]
		was := of[is.Requirement]
		if was == nil || was.Verdict == is.Verdict {
			continue
		}
		c := change(was, is)
		failed := was.Verdict == report.Fail || is.Verdict == report.Fail
		c.Gates = failed && b.Header.Gates(is.Level)
		d.Gates = d.Gates || c.Gates
		d.Verdicts = append(d.Verdicts, c)
	}
	slices.SortStableFunc(d.Verdicts, func(x, y report.Change) int { return cmp.Compare(rank(x), rank(y)) })
	return d
}

// rank puts verdicts that gate first, then failures.
func rank(c report.Change) int {
	switch {
	case c.Gates:
		return 0
	case c.Was == report.Fail || c.Is == report.Fail:
		return 1
	}
	return 2
}

// differently groups the requests that were answered differently.
func differently(inA, inB map[Request]string) []report.AnswersDiffer {
	type way struct{ class, a, b string }
	by := map[way]*report.AnswersDiffer{}
	for at, a := range inA {
		b, sent := inB[at]
		if !sent || a == b {
			continue
		}
		class := at.Case[:max(0, strings.LastIndex(at.Case, "/"))]
		k := way{class, a, b}
		x := by[k]
		if x == nil {
			x = &report.AnswersDiffer{Class: class, Case: at.Case, A: a, B: b, Status: a[:min(1, len(a))] != b[:min(1, len(b))]}
			by[k] = x
		}
		x.Requests++
		x.Case = min(x.Case, at.Case)
	}
	out := []report.AnswersDiffer{}
	for _, x := range by {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(x, y report.AnswersDiffer) int {
		if x.Status != y.Status {
			if x.Status {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.Requests, x.Requests), cmp.Compare(x.Class, y.Class), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out
}
