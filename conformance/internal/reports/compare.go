package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
		Findings: findings(old, now), Observed: observed(old, now), Latency: latency(&old.Times, &now.Times)}
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

// findings tells those of either report by their ids: new ones first, then those that are gone. One
// that is at other places of its kind now is the same.
// One is gone if any of its requirements passes now, and else was not tried.
func findings(old, now *report.Report) []report.FindingChange {
	out := []report.FindingChange{}
	add := func(list, other []report.Finding, change string, both bool) {
		for _, f := range list {
			has := func(x report.FindingChange) bool { return x.ID == f.ID }
			if slices.ContainsFunc(other, func(x report.Finding) bool { return report.Kin(x.ID, f.ID) }) == both && !slices.ContainsFunc(out, has) {
				out = append(out, report.FindingChange{ID: f.ID, Category: f.Category, Sentence: f.Sentence, Change: change, Known: f.Known})
			}
		}
	}
	was, is := old.Found(), now.Found()
	verdicts := byID(now)
	passes := func(id string) bool { return verdicts[id] != nil && verdicts[id].Verdict == report.Pass }
	var gone, untried []report.Finding
	for _, f := range was {
		if slices.ContainsFunc(f.Requirements, passes) {
			gone = append(gone, f)
		} else {
			untried = append(untried, f)
		}
	}
	add(is, was, "new", false)
	add(gone, is, "gone", false)
	add(untried, is, "not tried", false)
	add(is, was, "same", true)
	return out
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

// observed tells the open points where the target answers in another way. The counts are
// no change: a busy machine needs some retries. Only kinds of request that both runs
// tried are compared.
func observed(old, now *report.Report) []report.ObservedChange {
	out := []report.ObservedChange{}
	was := map[string]*report.Observe{}
	for i := range old.Observed {
		was[old.Observed[i].Requirement] = &old.Observed[i]
	}
	for i := range now.Observed {
		is := &now.Observed[i]
		if o := was[is.Requirement]; o != nil {
			if list := answers(o, is); len(list) > 0 {
				out = append(out, report.ObservedChange{Requirement: is.Requirement, Sentence: is.Sentence, Changes: list})
			}
		}
	}
	return out
}

// answers lists the answers that changed, those of several kinds together.
func answers(old, now *report.Observe) []report.AnswerChange {
	was, _ := byKind(old)
	is, kinds := byKind(now)
	var out []report.AnswerChange
	at := map[string]int{}
	for _, kind := range kinds {
		if was[kind] == nil || slices.Equal(was[kind], is[kind]) {
			continue
		}
		key := strings.Join(was[kind], "\n") + "\n\n" + strings.Join(is[kind], "\n")
		i, found := at[key]
		if !found {
			i, at[key] = len(out), len(out)
			out = append(out, report.AnswerChange{Was: was[kind], Is: is[kind]})
		}
		if kind != "" {
			out[i].Kinds = append(out[i].Kinds, kind)
		}
	}
	return out
}

// byKind lists the answers to each kind of request, in order, and the kinds.
func byKind(o *report.Observe) (answers map[string][]string, kinds []string) {
	answers = map[string][]string{}
	for _, s := range o.Seen {
		of := s.Kinds
		if len(of) == 0 {
			of = []string{""}
		}
		for _, kind := range of {
			if !slices.Contains(answers[kind], s.What) {
				answers[kind] = append(answers[kind], s.What)
			}
		}
	}
	for kind := range answers {
		slices.Sort(answers[kind])
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return answers, kinds
}

// What is noise between two runs on one machine: less than twice the time, or a difference
// that a busy machine makes, or a percentile of a few answers.
const (
	noiseFactor  = 2
	noiseTime    = 10 * time.Millisecond
	noiseAnswers = 100
)

// latency lists the percentiles of the times of answers that differ by more than noise. The
// slowest answers of a run are left out: those are noise.
func latency(old, now *report.Times) []report.LatencyChange {
	if answered(old) < noiseAnswers || answered(now) < noiseAnswers {
		return nil
	}
	var out []report.LatencyChange
	for _, c := range []report.LatencyChange{{Percentile: "p50", Was: old.Median, Is: now.Median}, {Percentile: "p90", Was: old.P90, Is: now.P90}} {
		less, more := min(c.Was, c.Is), max(c.Was, c.Is)
		if less >= 0 && more-less >= noiseTime && more/noiseFactor >= less {
			out = append(out, c)
		}
	}
	return out
}

func answered(t *report.Times) int {
	n := 0
	for _, b := range t.Answers {
		n += b.Count
	}
	return n
}

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
