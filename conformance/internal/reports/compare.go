// Package compare tells what changed from one report to another, and puts several beside
// each other. It judges nothing anew: it reads the verdicts that the reports have.
package reports

import (
	"fmt"
	"strings"

	"plantstore/conformance/report"
)

// DocumentsError says that two reports are about different documents.
type DocumentsError struct{ Old, New string }

// Error names the documents.
func (e *DocumentsError) Error() string {
	if e.Old == e.New {
		return "the reports are about two versions of " + e.Old
	}
	return fmt.Sprintf("the reports are about different documents, %s and %s", e.Old, e.New)
}

// Reports compares two reports, requirement by requirement. Reports about documents with
// different bytes are a *DocumentsError, unless across is set: then a requirement that
// the new document does not have is told, but does not gate.
func Diff(old, now *report.Report, across bool) (*report.Diff, error) {
	same := old.Header.Digest == now.Header.Digest
	if !same && !across {
		return nil, &DocumentsError{old.Header.Document, now.Header.Document}
	}
	d := &report.Diff{Version: report.Version, Old: side(old), New: side(now), Differ: settings(old, now),
		NewlyFailing: []report.Change{}, NoLongerTried: []report.Change{}, Fixed: []report.Change{}, StillFailing: []report.Change{},
		Observed: observed(old, now), Latency: latency(&old.Times, &now.Times)}
	was := byID(old)
	for i := range now.Results {
		is := &now.Results[i]
		place(d, was[is.Requirement], is, now)
		delete(was, is.Requirement)
	}
	for i := range old.Results {
		if x := &old.Results[i]; was[x.Requirement] == x {
			gone(d, x, now, same)
		}
	}
	return d, nil
}

func side(r *report.Report) report.DiffSide {
	return report.DiffSide{Tool: r.Tool, Target: r.Header.Target, Document: r.Header.Document, Digest: r.Header.Digest, Verdict: r.Summary.Verdict}
}

// byID finds results by their requirement. In a report that has one twice, which no run
// writes, the first one counts.
func byID(r *report.Report) map[string]*report.Result {
	out := make(map[string]*report.Result, len(r.Results))
	for i := range r.Results {
		if x := &r.Results[i]; out[x.Requirement] == nil {
			out[x.Requirement] = x
		}
	}
	return out
}

// place puts a requirement of the new report into the list where it belongs. Was is nil
// if the old report does not have it.
func place(d *report.Diff, was, is *report.Result, now *report.Report) {
	c := change(was, is)
	failed := was != nil && was.Verdict == report.Fail
	switch {
	case is.Verdict == report.Fail && failed:
		d.StillFailing = append(d.StillFailing, c)
	case is.Verdict == report.Fail:
		c.Gates = now.Header.Gates(is.Level) && is.Known == nil
		d.NewlyFailing = append(d.NewlyFailing, c)
		d.Worse = d.Worse || c.Gates
	case is.Verdict == report.Pass && failed:
		d.Fixed = append(d.Fixed, c)
	case is.Verdict != report.Pass && was != nil && judged(was):
		c.Gates = is.Known == nil && (now.Header.Gates(is.Level) || now.Header.Gates(was.Level))
		d.NoLongerTried = append(d.NoLongerTried, c)
		d.Worse = d.Worse || c.Gates
	}
}

// gone tells of a requirement that only the old report has. The same document has it
// still, so it was not tried.
func gone(d *report.Diff, was *report.Result, now *report.Report, same bool) {
	if !judged(was) {
		return
	}
	c := change(was, nil)
	switch {
	case len(now.Header.Selection) > 0:
		c.Reason = "not selected: " + strings.Join(now.Header.Selection, " ")
	case same:
		c.Reason = "not in the new report"
	default:
		c.Reason = "the new document does not have it"
	}
	c.Gates = now.Header.Gates(was.Level) && (same || len(now.Header.Selection) > 0)
	d.NoLongerTried = append(d.NoLongerTried, c)
	d.Worse = d.Worse || c.Gates
}

// judged reports whether the verdict says something about the target.
func judged(r *report.Result) bool { return r.Verdict == report.Pass || r.Verdict == report.Fail }

// change describes a requirement that either report has.
func change(was, is *report.Result) report.Change {
	var c report.Change
	if was != nil {
		c = report.Change{Requirement: was.Requirement, Level: was.Level, Sentence: was.Sentence, Was: was.Verdict}
		if len(was.Failures) > 0 {
			f := was.Failures[0]
			c.WasGot, c.Sent, c.Replay = f.Got, f.Sent, f.Replay
		}
	}
	if is != nil {
		if is.Known != nil {
			c.Known = is.Known.Reason
		}
		c.Requirement, c.Level, c.Sentence, c.Is = is.Requirement, is.Level, is.Sentence, is.Verdict
		if is.Verdict != report.Pass && is.Verdict != report.Fail {
			c.Reason = is.Reason
		}
		if len(is.Failures) > 0 {
			f := is.Failures[0]
			c.Got, c.Sent, c.Replay = f.Got, f.Sent, f.Replay
		}
	}
	return c
}

// input is a setting of a run besides its target.
type input struct {
	name string
	of   func(*report.Report) string
}

func inputs() []input {
	return []input{
		{"suite", func(r *report.Report) string { return r.Tool }},
		{"seed", func(r *report.Report) string { return fmt.Sprint(r.Header.Seed) }},
		{"draws", func(r *report.Report) string { return fmt.Sprint(r.Header.Draws) }},
		{"effort", func(r *report.Report) string { return r.Header.Effort }},
		{"selection", func(r *report.Report) string { return strings.Join(r.Header.Selection, " ") }},
		{"shard", func(r *report.Report) string { return r.Header.Shard.String() }},
		{"values", func(r *report.Report) string { return strings.Join(r.Header.Values, " ") }},
		{"requirements file", func(r *report.Report) string { return file(r.Header.RequirementsFile) }},
		{"values file", func(r *report.Report) string { return file(r.Header.ValuesFile) }},
	}
}

// settings says in what the runs differ besides the target.
func settings(old, now *report.Report) []string {
	var out []string
	for _, s := range inputs() {
		if was, is := s.of(old), s.of(now); was != is {
			out = append(out, fmt.Sprintf("%s %s, then %s", s.name, orNone(was), orNone(is)))
		}
	}
	return out
}

// file tells files of the same name apart.
func file(f *report.File) string {
	if f == nil {
		return ""
	}
	return f.Name + " (" + f.Digest[:min(8, len(f.Digest))] + ")"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
