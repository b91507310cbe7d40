// Package merge joins the reports of the shards of one plan into the report of the whole
// plan. It judges nothing anew: each verdict follows from the counts of the shards.
package reports

import (
	"cmp"
	"fmt"
	"slices"

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
