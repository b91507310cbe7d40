// Package reports joins the reports of the shards of one plan, tells what changed from one
// report to another, and puts several beside each other: it reads the verdicts and counts
// that the reports have. It also sends single cases again: one of the plan, with fresh values,
// or the requests that a report recorded.
package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/report"
)

// Merged is the report of the whole plan, without its summary.
type Merged struct {
	Report    *report.Report
	Exchanges int
	Reasons   []string // why a shard is incomplete, apart from its results
}

// Reports joins the reports of all shards of one plan, in any order. The names are those
// of their files, for messages. The error is one line: a report that is no shard's, a
// shard that is there twice or not at all, or reports of different plans, documents, seeds
// or targets.
func Merge(list []report.Named) (*Merged, error) {
	if err := check(list); err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b report.Named) int {
		return cmp.Compare(a.Report.Header.Shard.Number, b.Report.Header.Shard.Number)
	})
	out := &Merged{Report: &report.Report{Version: report.Version, Tool: list[0].Report.Tool, Header: header(list)}}
	results, err := results(list, out.Report.Header.Generation)
	if err != nil {
		return nil, err
	}
	r := out.Report
	r.Results, r.Observed = results, mergeObserved(list)
	r.Facts, r.Reach, r.CleanUp = facts(list), reach(list), cleanUp(list)
	r.Second, r.Times = second(list), times(list)
	r.Times.Examples = examples(list, results)
	for i, x := range list {
		out.Exchanges += x.Report.Summary.Exchanges
		if i > 0 {
			out.Exchanges -= x.Report.Part.Preflight // the whole plan needs it once
		}
		for _, reason := range x.Report.Part.Reasons {
			if !slices.Contains(out.Reasons, reason) {
				out.Reasons = append(out.Reasons, reason)
			}
		}
	}
	return out, nil
}

// header is that of the whole plan.
func header(list []report.Named) report.Header {
	h := list[0].Report.Header
	h.Shard, h.Cases, h.MaxStored = nil, 0, 0
	for _, x := range list {
		h.Cases += x.Report.Header.Cases
		h.MaxStored += x.Report.Header.MaxStored
		h.Generation = min(h.Generation, x.Report.Header.Generation)
	}
	return h
}

// results joins those of each requirement. A failure says which generation it needs if
// that is not the one of the merged report.
func results(list []report.Named, generation int) ([]report.Result, error) {
	parts := make([]map[string]*report.PartResult, len(list))
	for i, x := range list {
		of := x.Report.Header.Generation
		say := func(failures []report.Failure) {
			for k := range failures {
				if of != generation {
					failures[k].Generation = &of
				}
			}
		}
		parts[i] = map[string]*report.PartResult{}
		for k := range x.Report.Part.Requirements {
			p := &x.Report.Part.Requirements[k]
			parts[i][p.Requirement] = p
			say(p.Pending)
		}
		for k := range x.Report.Results {
			say(x.Report.Results[k].Failures)
		}
	}
	known := named(list)
	var out []report.Result
	belonging := map[string]bool{}
	for n := range list[0].Report.Results {
		j := diagnose.Joined{Named: func(unknown string) bool { return known[unknown] }}
		id := list[0].Report.Results[n].Requirement
		for i, x := range list {
			if len(x.Report.Results) != len(list[0].Report.Results) || x.Report.Results[n].Requirement != id {
				return nil, fmt.Errorf("%s and %s have different requirements: one of them was changed", list[0].Name, x.Name)
			}
			j.Results, j.Parts = append(j.Results, &x.Report.Results[n]), append(j.Parts, parts[i][id])
			belonging[id] = belonging[id] || parts[i][id] != nil && parts[i][id].Belonging
		}
		out = append(out, j.Join())
	}
	diagnose.Number(out, func(id string) bool { return belonging[id] })
	return out, nil
}

// named returns what shards say of values that they do not know, where another shard has
// one that the target accepts.
func named(list []report.Named) map[string]bool {
	passed := map[string]bool{}
	each := func(f func(p *report.PartResult)) {
		for _, x := range list {
			for i := range x.Report.Part.Requirements {
				f(&x.Report.Part.Requirements[i])
			}
		}
	}
	each(func(p *report.PartResult) { passed[p.Requirement] = passed[p.Requirement] || p.AnyPass && p.Passed })
	out := map[string]bool{}
	each(func(p *report.PartResult) {
		if passed[p.Requirement] && p.Unknown != "" {
			out[p.Unknown] = true
		}
	})
	return out
}

// check refuses reports that are not all shards of one plan, each once.
func check(list []report.Named) error {
	if len(list) == 0 {
		return errors.New("no report: give the reports of all shards")
	}
	for _, x := range list {
		s := x.Report.Header.Shard
		if s == nil || x.Report.Part == nil {
			return fmt.Errorf("%s is not the report of a shard: write it with run --shard I/N --report json=FILE", x.Name)
		}
		if s.Number < 1 || s.Number > s.Of {
			return fmt.Errorf("%s is shard %s, which no run can be: the report was changed", x.Name, s)
		}
	}
	first := list[0]
	for _, x := range list[1:] {
		if what := different(first.Report, x.Report); what != "" {
			return fmt.Errorf("%s and %s are not from the same plan: %s", first.Name, x.Name, what)
		}
	}
	return complete(list)
}

// different says how two runs differ; empty if they are shards of one plan.
func different(a, b *report.Report) string {
	for _, s := range []struct {
		name string
		a, b any
	}{
		{"suite", a.Tool, b.Tool},
		{"document", a.Header.Document, b.Header.Document},
		{"digest of the document", a.Header.Digest, b.Header.Digest},
		{"seed", a.Header.Seed, b.Header.Seed},
		{"draws", a.Header.Draws, b.Header.Draws},
		{"effort", a.Header.Effort, b.Header.Effort},
		{"target", target(a), target(b)},
		{"subjects", fmt.Sprint(a.Header.Subjects), fmt.Sprint(b.Header.Subjects)},
		{"number of shards", a.Header.Shard.Of, b.Header.Shard.Of},
		{"--fail-on", a.Header.FailOn, b.Header.FailOn},
		{"--require-all", a.Header.RequireAll, b.Header.RequireAll},
		{"--name-cases", a.Header.NamedCases, b.Header.NamedCases},
		{"--traceparent", a.Header.Traced, b.Header.Traced},
		{"selection", strings.Join(a.Header.Selection, " "), strings.Join(b.Header.Selection, " ")},
		{"values", strings.Join(a.Header.Values, " "), strings.Join(b.Header.Values, " ")},
		{"values file", documentOf(a), documentOf(b)},
		{"left out", strings.Join(a.Header.LeftOut, "; "), strings.Join(b.Header.LeftOut, "; ")},
		{"plan", a.Header.Shard.Plan, b.Header.Shard.Plan},
	} {
		if s.a != s.b {
			return fmt.Sprintf("%s %v and %v", s.name, valueOrNone(s.a), valueOrNone(s.b))
		}
	}
	return ""
}

// target names the target. Each run starts its own embedded server.
func target(r *report.Report) string {
	if r.Header.Embedded {
		return "embedded reference server"
	}
	return r.Header.Target
}

func documentOf(r *report.Report) string {
	if r.Header.ValuesFile == nil {
		return ""
	}
	return r.Header.ValuesFile.Digest
}

func valueOrNone(v any) any {
	if v == "" {
		return "none"
	}
	return v
}

// complete refuses a shard that is there twice, and names those that are missing.
func complete(list []report.Named) error {
	of := list[0].Report.Header.Shard
	seen := map[int]string{}
	cases := 0
	for _, x := range list {
		s := x.Report.Header.Shard
		if other, twice := seen[s.Number]; twice {
			return fmt.Errorf("%s and %s are both shard %s: give one of them", other, x.Name, s)
		}
		seen[s.Number] = x.Name
		cases += x.Report.Header.Cases
	}
	var missing []string
	for n := 1; n <= of.Of && len(missing) < maxNamed; n++ {
		if seen[n] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", n, of.Of))
		}
	}
	switch left := of.Of - len(list) - len(missing); {
	case len(missing) == 1 && left == 0:
		return fmt.Errorf("shard %s is missing: give the reports of all shards", missing[0])
	case left > 0:
		return fmt.Errorf("shards %s and %d more are missing: give the reports of all shards", strings.Join(missing, ", "), left)
	case len(missing) > 0:
		return fmt.Errorf("shards %s are missing: give the reports of all shards", strings.Join(missing, ", "))
	case cases != of.Cases:
		return fmt.Errorf("the shards have %d cases and the plan has %d: a report was changed", cases, of.Cases)
	}
	return nil
}

// maxNamed is how many missing shards are named.
const maxNamed = 8

// second joins the second opinions. Shards may have had the same answers: each counts
// once.
func second(list []report.Named) *report.SecondOpinion {
	var out *report.SecondOpinion
	agreed := map[string]bool{}
	var differences []report.Difference
	var answers []map[string]bool
	for _, x := range list {
		s, part := x.Report.Second, x.Report.Part
		if s == nil {
			continue
		}
		if out == nil {
			out = &report.SecondOpinion{Reader: s.Reader}
		}
		add(agreed, part.Agreed.Data)
		out.NotAsked += s.NotAsked
		out.Reason = cmp.Or(out.Reason, s.Reason)
		for i, d := range s.Differences {
			k := slices.IndexFunc(differences, d.Same)
			if k < 0 {
				k = len(differences)
				differences, answers = append(differences, d), append(answers, map[string]bool{})
			} else if d.Case < differences[k].Case {
				differences[k] = d
			}
			if i < len(part.Disagreed) {
				add(answers[k], part.Disagreed[i].Data)
			}
		}
	}
	if out == nil {
		return nil
	}
	out.Agreed = len(agreed)
	for i := range differences {
		differences[i].Answers = len(answers[i])
		out.Disagreed += len(answers[i])
	}
	slices.SortStableFunc(differences, func(a, b report.Difference) int { return cmp.Compare(a.Case, b.Case) })
	out.Differences = differences
	return out
}

// add adds digests to a set.
func add(set map[string]bool, digests []byte) {
	for d := range slices.Chunk(digests, report.AnswerBytes) {
		set[string(d)] = true
	}
}
