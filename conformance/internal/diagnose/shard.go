package diagnose

import (
	"crypto/sha256"
	"encoding/hex"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

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
			Suppressors: d.suppressors[at], HiddenBy: d.hidden[at], Unknown: d.noKnownValue(at, t), AnyPass: b.Rule.AnyPass, Odd: d.odd[at], Belonging: b.Rule.Role == rule.RoleBelonging}
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
	for _, c := range d.run.Cases {
		if r := d.run.Record(c); r != nil && r.Passed.Has(at) {
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
	sum := sha256.Sum256([]byte(f.group.signature)) // it may hold what the target said
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
