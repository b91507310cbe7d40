package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// joining is what shards say of one requirement.
func joining(list ...shardSays) Joined {
	j := Joined{Named: func(string) bool { return false }}
	for i := range list {
		list[i].result.Requirement, list[i].result.Level = "thing-size", report.Must
		j.Results = append(j.Results, &list[i].result)
		part := &list[i].part
		if list[i].result.Cases.Planned == 0 && part.Unplayed == "" {
			part = nil
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

type shardSays struct {
	result report.Result
	part   report.PartResult
}

func says(c report.Cases, p report.PartResult) shardSays {
	return shardSays{report.Result{Cases: c, Verdict: p.Verdict, Reason: p.Reason}, p}
}

func TestTheVerdictOfAPlanFollowsFromWhatAllShardsSay(t *testing.T) {
	elsewhere := says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: inAnother})
	passed := says(report.Cases{Planned: 3, Judged: 3}, report.PartResult{Verdict: report.Pass, Passed: true})
	none := says(report.Cases{Planned: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "no exchange could be judged"})
	late := says(report.Cases{Planned: 2, NotTried: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "time", Why: "time", UntriedAt: 5})
	earlier := says(report.Cases{Planned: 2, NotTried: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "rate", Why: "rate", UntriedAt: 4})
	class := says(report.Cases{Planned: 2, Judged: 1, NotTried: 1}, report.PartResult{Verdict: report.Inconclusive, Passed: true, UntriedClass: "a/b", Why: "gone", UntriedAt: 9})
	under := func(id string, weight int) shardSays {
		return says(report.Cases{Planned: 1, Suppressed: 1}, report.PartResult{Verdict: report.Inconclusive, Reason: "suppressed by " + id, Suppressors: map[string]int{id: weight}})
	}
	hidden := says(report.Cases{Planned: 4}, report.PartResult{Verdict: report.Inconclusive, HiddenBy: "thing-answered", Failed: 4})
	wrong := says(report.Cases{Planned: 1}, report.PartResult{Verdict: report.Error, Reason: "a bug"})
	unplayed := func(why string, at int) shardSays {
		return says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: why, Unplayed: why, UnplayedAt: at})
	}
	unnamed := says(report.Cases{Planned: 2, Judged: 2}, report.PartResult{Verdict: report.Pass, AnyPass: true, Unknown: "name a value"})
	for name, x := range map[string]struct {
		list   []shardSays
		want   report.Verdict
		reason string
	}{
		"one shard":                        {[]shardSays{elsewhere, passed}, report.Pass, ""},
		"no case anywhere":                 {[]shardSays{says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: "the plan has no case for it"})}, report.Inapplicable, "the plan has no case for it"},
		"no case applies":                  {[]shardSays{elsewhere, unplayed("answered with 409", 7), unplayed("answered with 422", 3)}, report.Inapplicable, "answered with 422"},
		"one applies":                      {[]shardSays{unplayed("answered with 409", 7), none}, report.Inconclusive, "no exchange could be judged"},
		"one decides for another":          {[]shardSays{none, passed}, report.Pass, ""},
		"none decides":                     {[]shardSays{elsewhere, none, none}, report.Inconclusive, "no exchange could be judged"},
		"some were not tried":              {[]shardSays{passed, late, earlier}, report.Pass, "4 of 7 cases not tried: rate"},
		"nothing was tried":                {[]shardSays{late, earlier}, report.Inconclusive, "rate"},
		"a class was not tried":            {[]shardSays{passed, late, class}, report.Inconclusive, "no case of a/b could be tried: gone"},
		"suppressed most often":            {[]shardSays{under("b", 2), under("a", 1), under("a", 2)}, report.Inconclusive, "suppressed by a"},
		"suppressed in one alone":          {[]shardSays{under("b", 2), passed}, report.Pass, ""},
		"explained by another failure":     {[]shardSays{passed, hidden}, report.Inconclusive, "suppressed by thing-answered"},
		"a bug of the suite":               {[]shardSays{wrong, none}, report.Error, "a bug"},
		"a bug, and an answer":             {[]shardSays{wrong, passed}, report.Pass, ""},
		"a value that no shard knows":      {[]shardSays{unnamed, unnamed}, report.Inconclusive, "name a value"},
		"a value that another shard knows": {[]shardSays{unnamed, passed}, report.Pass, ""},
	} {
		got := joining(x.list...).Join()
		assert.Equal(t, x.want, got.Verdict, name)
		assert.Equal(t, x.reason, got.Reason, name)
	}
}

// failing is a shard with failures of some ways: signature, weight, place, cases.
func failing(ways ...report.PartFailure) shardSays {
	s := says(report.Cases{Planned: 9, Judged: 9, Failed: 9}, report.PartResult{Verdict: report.Fail, Failed: 9, Passed: true, Ways: ways})
	for _, w := range ways {
		f := report.Failure{Case: w.Signature, Common: "all"}
		for range w.Classes {
			f.Classes = append(f.Classes, report.ClassCount{Class: w.Signature, Failed: 1, Judged: 2})
		}
		s.result.Failures = append(s.result.Failures, f)
	}
	return s
}

func TestFailuresOfOneWayAreJoinedWithTheBestExample(t *testing.T) {
	one := failing(report.PartFailure{Signature: "x", Weight: 7, At: 1, Classes: []int{1, 8}})
	one.result.Failures[0].Case, one.result.Failures[0].Classes[1].Class = "heavy", "x8"
	two := failing(report.PartFailure{Signature: "y", Weight: 1, At: 2, Classes: []int{2}}, report.PartFailure{Signature: "x", Weight: 3, At: 4, Classes: []int{4}})
	two.result.Failures[1].Case, two.result.Failures[1].Classes[0].Class = "light", "x4"
	two.result.Place, two.result.Fix = &report.Place{File: "api.yaml", Line: 3}, "Check it."
	got := joining(one, two).Join()
	assert.Equal(t, report.Fail, got.Verdict)
	assert.Equal(t, report.Cases{Planned: 18, Judged: 18, Failed: 18}, got.Cases)
	assert.Equal(t, two.result.Place, got.Place)
	assert.Equal(t, two.result.Fix, got.Fix)
	if assert.Len(t, got.Failures, 2) {
		assert.Equal(t, "light", got.Failures[0].Case, "the way with the most cases comes first")
		assert.Equal(t, []report.ClassCount{{Class: "x", Failed: 1, Judged: 2}, {Class: "x4", Failed: 1, Judged: 2}, {Class: "x8", Failed: 1, Judged: 2}}, got.Failures[0].Classes)
		assert.Empty(t, got.Failures[0].Common)
		assert.Equal(t, "y", got.Failures[1].Case)
	}
	assert.Equal(t, "all", joining(one).Join().Failures[0].Common, "a single shard knows")
}

func TestWaysBeyondTheMostKeptJoinTheLastOne(t *testing.T) {
	var ways []report.PartFailure
	for i := range limits.WaysKept + 3 {
		ways = append(ways, report.PartFailure{Signature: string(rune('a' + i)), At: i, Classes: []int{i}})
	}
	got := joining(failing(ways...)).Join()
	assert.Len(t, got.Failures, limits.WaysKept)
	assert.Len(t, got.Failures[limits.WaysKept-1].Classes, 4)
}

func TestPendingFailuresCountOnlyIfNoShardPassed(t *testing.T) {
	pending := says(report.Cases{Planned: 2, Judged: 2}, report.PartResult{Verdict: report.Fail, Failed: 2, AnyPass: true,
		Pending: []report.Failure{{Case: "a", Class: "a"}}, Ways: []report.PartFailure{{Signature: "x", Classes: []int{0}}}})
	passed := says(report.Cases{Planned: 3, Judged: 3}, report.PartResult{Verdict: report.Pass, AnyPass: true, Passed: true})
	unnamed := says(report.Cases{Planned: 1, Judged: 1}, report.PartResult{Verdict: report.Pass, AnyPass: true, Unknown: "name a value"})
	odd := pending
	odd.part.Odd = true

	got := joining(pending, passed).Join()
	assert.Equal(t, report.Pass, got.Verdict)
	assert.Zero(t, got.Cases.Failed)
	got = joining(pending, pending).Join()
	assert.Equal(t, report.Fail, got.Verdict)
	assert.Equal(t, 4, got.Cases.Failed)
	pending.part.Place, pending.part.Fix = &report.Place{File: "api.yaml", Line: 3}, "Check it."
	got = joining(says(report.Cases{Planned: 1, Judged: 1}, report.PartResult{Verdict: report.Fail, AnyPass: true}), pending).Join()
	assert.Equal(t, &report.Place{File: "api.yaml", Line: 3}, got.Place, "as of any failure")
	assert.Equal(t, "Check it.", got.Fix)
	got = joining(pending, passed).Join()
	assert.Nil(t, got.Place)
	assert.Empty(t, got.Fix)
	assert.Equal(t, report.Fail, joining(pending, unnamed).Join().Verdict, "ordinary words are not refused alike")
	got = joining(odd, unnamed).Join()
	assert.Equal(t, report.Inconclusive, got.Verdict)
	assert.Equal(t, "name a value", got.Reason)
}
