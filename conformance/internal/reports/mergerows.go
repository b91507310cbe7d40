package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/report"
)

// observed adds up what the shards saw of each open point.
func mergeObserved(list []report.Named) []report.Observe {
	var out []report.Observe
	at := map[string]int{}
	for _, x := range list {
		for _, o := range x.Report.Observed {
			i, known := at[o.Requirement]
			if !known {
				i = len(out)
				at[o.Requirement] = i
				out = append(out, report.Observe{Requirement: o.Requirement, Sentence: o.Sentence, Clause: o.Clause})
			}
			for _, s := range o.Seen {
				k := slices.IndexFunc(out[i].Seen, func(t report.Seen) bool { return t.What == s.What })
				if k < 0 {
					out[i].Seen = append(out[i].Seen, report.Seen{What: s.What, Count: s.Count, Kinds: slices.Clone(s.Kinds)})
					continue
				}
				out[i].Seen[k].Count += s.Count
				out[i].Seen[k].Kinds = append(out[i].Seen[k].Kinds, s.Kinds...)
			}
		}
	}
	for i := range out {
		for k := range out[i].Seen {
			slices.Sort(out[i].Seen[k].Kinds)
			out[i].Seen[k].Kinds = slices.Compact(out[i].Seen[k].Kinds)
		}
		slices.SortFunc(out[i].Seen, func(a, b report.Seen) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
		})
	}
	return out
}

// facts keeps what all shards learned alike, and tells where they differ: the target may
// have changed between them.
func facts(list []report.Named) []report.Fact {
	var out []report.Fact
	at := map[string]int{}
	for _, x := range list {
		for _, f := range x.Report.Facts {
			i, known := at[f.Name]
			switch {
			case !known:
				at[f.Name] = len(out)
				out = append(out, f)
			case !slices.Contains(strings.Split(out[i].Value, otherShard), f.Value):
				out[i].Value += otherShard + f.Value
			}
		}
	}
	return out
}

// differently joins what two shards learned differently.
const otherShard = ", in another shard "

// reach is that of the shard that reached most.
func reach(list []report.Named) *report.Reached {
	out := list[0].Report.Reach
	for _, x := range list[1:] {
		if r := x.Report.Reach; r != nil && (out == nil || r.Reached > out.Reached) {
			out = r
		}
	}
	return out
}

// cleanUp adds up what was deleted and what was left.
func cleanUp(list []report.Named) *report.CleanUp {
	var out *report.CleanUp
	left := map[string]int{}
	var order []string
	for _, x := range list {
		c := x.Report.CleanUp
		if c == nil {
			continue
		}
		if out == nil {
			out = &report.CleanUp{}
		}
		out.Made += c.Made
		out.Deleted += c.Deleted
		out.Changed += c.Changed
		out.Restored += c.Restored
		for _, text := range c.Left {
			why, n := text, 0
			if m := counted.FindStringSubmatch(text); m != nil {
				why = m[1]
				n, _ = strconv.Atoi(m[2]) // digits alone; one that is too long counts as none
			}
			if _, known := left[why]; !known {
				order = append(order, why)
			}
			left[why] += n
		}
	}
	for _, why := range order {
		if left[why] > 0 {
			why = fmt.Sprintf("%s (%d)", why, left[why])
		}
		out.Left = append(out.Left, why)
	}
	return out
}

// counted is a reason with a number behind it.
var counted = regexp.MustCompile(`^(.*) \(([0-9]+)\)$`)

// times begin with the first shard and add up what all took. The percentiles are those of
// all answers. The timeline lays the shards over each other, because their clocks may differ.
func times(list []report.Named) report.Times {
	out := list[0].Report.Times
	out.Took, out.Slowest, out.Limits, out.Examples = 0, 0, report.Limits{}, nil
	var answers client.Histogram
	var timeline client.Timeline
	for _, x := range list {
		t := x.Report.Times
		if t.Began.Before(out.Began) {
			out.Began, out.First = t.Began, t.First
		}
		out.Took += t.Took
		out.Slowest = max(out.Slowest, t.Slowest)
		answers.AddAll(t.Answers)
		timeline.AddAll(t.Timeline)
		out.Limits.Answers += t.Limits.Answers
		out.Limits.Waited += t.Limits.Waited
		out.Limits.Unavailable += t.Limits.Unavailable
		if r := t.Limits.Rate; r > 0 && (out.Limits.Rate == 0 || r < out.Limits.Rate) {
			out.Limits.Rate = r
		}
	}
	answers.Report(&out)
	if out.Timeline = timeline.Report(); len(out.Timeline.Intervals) > 0 {
		out.Timeline.Shards = len(list)
	}
	return out
}

// examples keeps the times of the failures that the merged report has, under their numbers
// in it. A case is in one shard alone.
func examples(list []report.Named, results []report.Result) (out []report.StepTimes) {
	type key struct{ requirement, example string }
	number := map[key]int{}
	for _, x := range results {
		for _, f := range x.Failures {
			number[key{x.Requirement, f.Case}] = f.N
		}
	}
	for _, shard := range list {
		keep := func(requirement string, failures []report.Failure) {
			for _, f := range failures {
				n, kept := number[key{requirement, f.Case}]
				for _, t := range shard.Report.Times.Examples {
					if kept && t.Failure == f.N {
						t.Failure = n
						out = append(out, t)
					}
				}
			}
		}
		for _, x := range shard.Report.Results {
			keep(x.Requirement, x.Failures)
		}
		for _, p := range shard.Report.Part.Requirements {
			if !slices.ContainsFunc(shard.Report.Results, func(x report.Result) bool { return x.Requirement == p.Requirement && len(x.Failures) > 0 }) {
				keep(p.Requirement, p.Pending)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b report.StepTimes) int { return cmp.Compare(a.Failure, b.Failure) })
	return out
}
