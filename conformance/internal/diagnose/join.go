package diagnose

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Joined is one requirement in the reports of all shards, in their order. A part is nil
// if the shard has no case of it.
type Joined struct {
	Results []*report.Result
	Parts   []*report.PartResult
	// Named reports whether a value is known after all that a shard did not know: another
	// shard has one that is accepted.
	Named func(unknown string) bool

	// tried are the parts of shards that have a case. Passed reports whether an exchange of
	// any passed, and pending whether failures that are pending in a shard count.
	tried           []*report.PartResult
	passed, pending bool
}

// Join returns the result of a requirement in the whole plan. It follows from the same
// counts, in the same order of reasons, as the result of a run.
func (j Joined) Join() report.Result {
	j.tried = slices.DeleteFunc(slices.Clone(j.Parts), func(p *report.PartResult) bool { return p == nil })
	j.passed = slices.ContainsFunc(j.tried, func(p *report.PartResult) bool { return p.Passed })
	ordinary := slices.ContainsFunc(j.tried, func(p *report.PartResult) bool { return len(p.Pending) > 0 && !p.Odd })
	j.pending = !j.passed && (ordinary || j.first(func(p *report.PartResult) string { return p.Unknown }) == "")
	out := *j.Results[0]
	out.Cases, out.Failures, out.Place, out.Fix, out.Reason = report.Cases{}, nil, nil, "", ""
	for _, x := range j.Results {
		out.Cases.Planned += x.Cases.Planned
		out.Cases.Judged += x.Cases.Judged
		out.Cases.Suppressed += x.Cases.Suppressed
		out.Cases.NotTried += x.Cases.NotTried
	}
	for _, p := range j.tried {
		if j.counts(p) {
			out.Cases.Failed += p.Failed
		}
	}
	hidden := j.first(func(p *report.PartResult) string { return p.HiddenBy })
	if hidden != "" {
		out.Cases.Judged = 0
	} else {
		out.Failures = j.failures()
	}
	out.Verdict, out.Reason = j.verdict(&out, hidden)
	if out.Verdict == report.Fail {
		for _, x := range j.Results {
			out.Place, out.Fix = cmp.Or(out.Place, x.Place), cmp.Or(out.Fix, x.Fix)
		}
		for _, p := range j.tried {
			out.Place, out.Fix = cmp.Or(out.Place, p.Place), cmp.Or(out.Fix, p.Fix)
		}
	}
	return out
}

// verdict is that of the whole plan, with its reason.
func (j Joined) verdict(x *report.Result, hidden string) (report.Verdict, string) {
	suppressors := map[string]int{}
	t := tally{planned: x.Cases.Planned, judged: x.Cases.Judged, untried: x.Cases.NotTried}
	at := -1
	for _, p := range j.tried {
		for id, n := range p.Suppressors {
			suppressors[id] += n
		}
		if p.Why != "" && (at < 0 || p.UntriedClass != "" && t.untriedClass == "" || (p.UntriedClass != "") == (t.untriedClass != "") && p.UntriedAt < at) {
			t.untriedClass, t.why, at = p.UntriedClass, p.Why, p.UntriedAt
		}
	}
	t.suppressedBy = cmp.Or(hidden, mostFrequent(suppressors))
	if p := j.of(report.Error); p != nil {
		t.wrong = p.Reason
	}
	unknown := j.first(func(p *report.PartResult) string {
		if p.AnyPass && j.passed || t.judged > 0 && !p.AnyPass || j.Named(p.Unknown) {
			return ""
		}
		return p.Unknown
	})
	why := reasons{tally: t, failed: len(x.Failures) > 0, unknown: unknown, untested: j.untested,
		unplanned: j.unplanned}
	return why.verdict()
}

// unplanned returns what the shard with the first inapplicable case says, or the first shard if there
// is no case at all.
func (j Joined) unplanned() (report.Verdict, string) {
	var first *report.PartResult
	for _, p := range j.tried {
		if p.Unplayed != "" && (first == nil || p.UnplayedAt < first.UnplayedAt) {
			first = p
		}
	}
	if first == nil {
		return j.Results[0].Verdict, j.Results[0].Reason
	}
	return first.Verdict, first.Reason
}

// untested is what a shard says of the requirement that could judge no exchange either.
func (j Joined) untested() (report.Verdict, string) {
	j.tried = slices.DeleteFunc(slices.Clone(j.tried), func(p *report.PartResult) bool { return p.Unplayed != "" })
	for _, v := range []report.Verdict{report.Inapplicable, report.Inconclusive} {
		if p := j.of(v); p != nil {
			return v, p.Reason
		}
	}
	return report.Inconclusive, noneJudged
}

// counts reports whether the failures of a shard are failures of the whole plan.
func (j Joined) counts(p *report.PartResult) bool { return len(p.Pending) == 0 || j.pending }

// of returns the first part with a verdict, or nil.
func (j Joined) of(v report.Verdict) *report.PartResult {
	for _, p := range j.tried {
		if p.Verdict == v {
			return p
		}
	}
	return nil
}

// first returns the first text that a part has.
func (j Joined) first(text func(*report.PartResult) string) string {
	for _, p := range j.tried {
		if t := text(p); t != "" {
			return t
		}
	}
	return ""
}

// shown is one way in which a requirement failed, in all shards that saw it.
type shown struct {
	report.Failure
	way     report.PartFailure
	classes []placed
	failed  int
}

// placed is a class with the place of its first failed case in the plan.
type placed struct {
	report.ClassCount
	at int
}

// failures joins those of the shards, one for each way, with the example that a run of
// the whole plan takes: the one that shows it best.
func (j Joined) failures() []report.Failure {
	var ways []*shown
	for i, p := range j.Parts {
		if p == nil || !j.counts(p) {
			continue
		}
		list := j.Results[i].Failures
		if len(p.Pending) > 0 {
			list = p.Pending
		}
		for n := range min(len(list), len(p.Ways)) {
			ways = addWay(ways, list[n], p.Ways[n])
		}
	}
	slices.SortStableFunc(ways, func(a, b *shown) int {
		return cmp.Or(cmp.Compare(b.failed, a.failed), cmp.Compare(a.classes[0].at, b.classes[0].at))
	})
	if len(ways) > limits.WaysKept {
		for _, w := range ways[limits.WaysKept:] {
			ways[limits.WaysKept-1].take(w)
		}
		ways = ways[:limits.WaysKept]
	}
	var out []report.Failure
	for _, w := range ways {
		f := w.Failure
		f.Classes = nil
		for _, c := range w.classes {
			f.Classes = append(f.Classes, c.ClassCount)
		}
		if len(j.tried) > 1 {
			f.Common = "" // the cases of other shards may not share it
		}
		out = append(out, f)
	}
	return out
}

// addWay adds a failure of a shard to the way that it shows.
func addWay(ways []*shown, f report.Failure, way report.PartFailure) []*shown {
	s := &shown{Failure: f, way: way}
	for i, c := range f.Classes {
		at := way.At
		if i < len(way.Classes) {
			at = way.Classes[i]
		}
		s.classes = append(s.classes, placed{c, at})
		s.failed += c.Failed
	}
	if len(s.classes) == 0 {
		s.classes = []placed{{report.ClassCount{Class: f.Class, Failed: 1, Judged: 1}, way.At}}
	}
	for _, w := range ways {
		if w.way.Signature != way.Signature {
			continue
		}
		if cmp.Or(cmp.Compare(way.Weight, w.way.Weight), cmp.Compare(way.At, w.way.At)) < 0 {
			w.Failure, w.way = f, way
		}
		w.take(s)
		return ways
	}
	return append(ways, s)
}

// take adds the classes of another way, in the order of the plan.
func (s *shown) take(other *shown) {
	s.classes = append(s.classes, other.classes...)
	slices.SortStableFunc(s.classes, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	s.failed += other.failed
}

// Shard is what the diagnosis of a shard must know of the whole plan.
type Shard struct {
	// Elsewhere says for each requirement, by its index in Bound, whether cases of other
	// shards can test it.
	Elsewhere []bool
	// At is the place of each case in the whole plan.
	At map[*plan.Case]int
	// Ways belong to the failures that Results is given.
	Ways map[int][]report.PartFailure
	// Parts is what Results found of each requirement that has cases in this shard.
	Parts []report.PartResult
}

// The reasons of a requirement that has no verdict in this shard.
const (
	inAnother  = "in another shard"
	notDecided = "no exchange of this shard decides it: other shards try it too"
)

// ofShard turns what the cases of this shard say alone into a result that does not claim
// more: other shards may have what is missing here. It keeps the former for Merge.
func (d *Diagnosis) ofShard(at int, x report.Result) report.Result {
	b := &d.judge.Bound[at]
	passed, t := d.passes(at), d.tallies[at]
	if x.Cases.Planned > 0 || len(x.Failures) > 0 || t.inapplicable != nil {
		// Another shard may know a value that the target allows.
		alone := d.result(at, t, x.Failures, "")
		p := report.PartResult{Requirement: x.Requirement, Verdict: alone.Verdict, Reason: alone.Reason, Failed: x.Cases.Failed, Passed: passed, Ways: d.Shard.Ways[at],
			Suppressors: d.suppressors[at], HiddenBy: d.hidden[at], Unknown: d.noKnownValue(at, t), AnyPass: b.Rule.AnyPass, Odd: d.odd[at], Belonging: b.Rule.Role == requirement.RoleBelonging}
		p.UntriedClass, p.Why, p.UntriedAt = d.untried(at)
		if t.planned == 0 && t.inapplicable != nil {
			p.Unplayed, p.UnplayedAt = t.unplayed, d.Shard.At[t.inapplicable]
		}
		if b.Rule.AnyPass && !passed {
			p.Pending = x.Failures
		}
		d.Shard.Parts = append(d.Shard.Parts, p)
	}
	undecided := x.Verdict == report.Inconclusive || x.Verdict == report.Inapplicable
	switch {
	case !d.Shard.Elsewhere[at]:
	case t.planned == 0 && len(x.Failures) == 0:
		x.Verdict, x.Reason = report.Inapplicable, inAnother
	case b.Rule.AnyPass && !passed && x.Verdict != report.Error,
		undecided && t.judged == 0 && t.suppressedBy == "" && t.untried == 0:
		x.Verdict, x.Reason, x.Failures, x.Cases.Failed = report.Inapplicable, notDecided, nil, 0
	}
	return x
}

// passes reports whether a requirement passed in a case.
func (d *Diagnosis) passes(at int) bool {
	for _, r := range d.run.Records() {
		if r.Passed.Has(at) {
			return true
		}
	}
	return false
}

// untried finds the first class of which nothing was judged, as tally does, else the first
// case that was not tried, with the reason and the place in the plan.
func (d *Diagnosis) untried(at int) (class, why string, place int) {
	t := d.tallies[at]
	if t.untried == 0 && t.untriedClass == "" {
		return "", "", 0
	}
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if t.untriedClass != "" && c.Class.Slug != t.untriedClass || t.untriedClass == "" && r != nil && r.State == judge.Tried || !d.judge.Covers(c).Has(at) {
			continue
		}
		return t.untriedClass, t.why, d.Shard.At[c]
	}
	return t.untriedClass, t.why, 0
}

// Way returns what tells a finding from others of its requirement.
func (d *Diagnosis) Way(f *Finding) report.PartFailure {
	c, _ := f.group.simplest()
	sum := sha256.Sum256([]byte(f.group.signature + f.group.kind)) // it may hold what the target said
	out := report.PartFailure{Signature: hex.EncodeToString(sum[:8]), Weight: f.group.weight(c), At: d.Shard.At[c]}
	seen := map[*plan.Class]bool{}
	for _, c := range f.Cases() {
		if !seen[c.Class] {
			seen[c.Class] = true
			out.Classes = append(out.Classes, d.Shard.At[c])
		}
	}
	return out
}
