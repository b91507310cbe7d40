package reports

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
)

func timed(answers int, p50, p90, p99 time.Duration) *report.Report {
	return &report.Report{Times: report.Times{Median: p50 * time.Millisecond, P90: p90 * time.Millisecond, P99: p99 * time.Millisecond,
		Answers: []report.AnswerTimes{{Count: answers / 2}, {Count: answers - answers/2}}}}
}

func TestADiffTellsOfTimesThatDifferByMoreThanNoise(t *testing.T) {
	const ms = time.Millisecond
	for name, x := range map[string]struct {
		old, now *report.Report
		want     []report.LatencyChange
	}{
		"the same":             {timed(500, 20, 40, 90), timed(500, 20, 40, 90), nil},
		"less than twice":      {timed(500, 20, 40, 90), timed(500, 39, 79, 179), nil},
		"twice, but short":     {timed(500, 1, 2, 3), timed(500, 5, 10, 12), nil},
		"slower":               {timed(500, 20, 40, 90), timed(500, 40, 79, 900), []report.LatencyChange{{Percentile: "p50", Was: 20 * ms, Is: 40 * ms}}},
		"faster":               {timed(500, 20, 40, 90), timed(500, 2, 40, 90), []report.LatencyChange{{Percentile: "p50", Was: 20 * ms, Is: 2 * ms}}},
		"too few answers":      {timed(99, 20, 40, 90), timed(500, 40, 79, 900), nil},
		"not measured at all":  {&report.Report{}, timed(500, 40, 79, 900), nil},
		"enough answers alone": {timed(100, 20, 40, 90), timed(100, 20, 80, 90), []report.LatencyChange{{Percentile: "p90", Was: 40 * ms, Is: 80 * ms}}},
	} {
		d, err := Diff(x.old, x.now, false)
		require.NoError(t, err)
		assert.Equal(t, x.want, d.Latency, name)
		assert.False(t, d.Worse, "%s: times are not judged", name)
	}
}

func TestTargetsDifferInVerdictsFirstThenInAnswersOfAnotherStatus(t *testing.T) {
	of := func(generation int, verdicts ...report.Verdict) *report.Report {
		r := &report.Report{Header: report.Header{Generation: generation}}
		levels := []report.Level{report.Should, report.Must, report.Must, report.Must}
		for i, v := range verdicts {
			r.Results = append(r.Results, report.Result{Requirement: string(rune('a' + i)), Level: levels[i], Verdict: v})
		}
		return r
	}
	at := func(class string, draw string) Request { return Request{Case: class + "/" + draw} }
	d := Targets(of(0, report.Fail, report.Inconclusive, report.Pass, report.Pass), of(2, report.Pass, report.Pass, report.Fail, report.Pass),
		map[Request]string{at("x", "0"): "200 OK", at("x", "1"): "200 OK", at("y", "0"): "200 OK", at("y", "1"): "200 OK", at("z", "0"): "400 a", at("v", "0"): "400 a", at("w", "0"): "1"},
		map[Request]string{at("x", "0"): "204", at("x", "1"): "204", at("y", "0"): "400 a", at("y", "1"): "200 OK", at("z", "0"): "no answer", at("v", "0"): "400 a"})
	assert.Equal(t, []string{"dataset generation 0, then 2"}, d.Differ)
	assert.True(t, d.Gates)
	var ids []string
	for _, c := range d.Verdicts {
		ids = append(ids, c.Requirement)
	}
	assert.Equal(t, []string{"c", "a", "b"}, ids)
	assert.Equal(t, []report.AnswersDiffer{
		{Class: "y", Case: "y/0", A: "200 OK", B: "400 a", Requests: 1, Status: true},
		{Class: "z", Case: "z/0", A: "400 a", B: "no answer", Requests: 1, Status: true},
		{Class: "x", Case: "x/0", A: "200 OK", B: "204", Requests: 2},
	}, d.Answers)

	d = Targets(of(0, report.Fail), of(0, report.Pass), nil, nil)
	assert.False(t, d.Gates, "a SHOULD only warns")
	assert.Empty(t, Targets(of(0, report.Pass), of(0, report.Pass), nil, nil).Verdicts)
}

// shards are the reports of a plan in two parts, with a little of everything.
func shards() []report.Named {
	one := &report.Report{Header: report.Header{Target: "http://a", Cases: 2, MaxStored: 3, Generation: 1, Shard: &report.Shard{Number: 1, Of: 2, Plan: "p", Cases: 5}},
		Facts:    []report.Fact{{Name: "repeats", Value: "accepted"}, {Name: "connections", Value: "8"}},
		Results:  []report.Result{{Requirement: "r", Verdict: report.Fail, Cases: report.Cases{Planned: 1, Judged: 1, Failed: 1}, Failures: []report.Failure{{N: 1, Case: "a", Class: "a"}}}},
		Observed: []report.Observe{{Requirement: "o", Seen: []report.Seen{{What: "200", Count: 3, Kinds: []string{"b"}}, {What: "400", Count: 1}}}, {Requirement: "q"}},
		CleanUp:  &report.CleanUp{Made: 2, Deleted: 1, Left: []string{"refused (1)"}},
		Second: &report.SecondOpinion{Reader: "x", Agreed: 2, Disagreed: 1, Reason: "without answers above 64 KiB",
			Differences: []report.Difference{{Exact: "valid", Second: "no", Answers: 1, Case: "b"}}},
		Summary: report.Summary{Exchanges: 10},
		Times: report.Times{Began: time.Unix(20, 0), Took: 5, First: 7, Median: 3, Slowest: 9, Limits: report.Limits{Answers: 1, Rate: 20},
			Answers:  []report.AnswerTimes{{From: 0, Below: 1000, Count: 3}},
			Timeline: report.Timeline{Width: 1e6, Intervals: []report.Interval{{Requests: 2}, {From: 1e6, Requests: 1, FailedCases: 1}}}},
		Part: &report.Part{Preflight: 4, Reasons: []string{"late"}, Agreed: report.Bytes{Data: []byte("aaaaaaaabbbbbbbb")}, Disagreed: []report.Bytes{{Data: []byte("cccccccc")}},
			Requirements: []report.PartResult{{Requirement: "r", Verdict: report.Fail, Failed: 1, Ways: []report.PartFailure{{Signature: "s"}}, Belonging: true}}}}
	two := &report.Report{Header: report.Header{Target: "http://a", Cases: 3, MaxStored: 4, Shard: &report.Shard{Number: 2, Of: 2, Plan: "p", Cases: 5}},
		Facts:    []report.Fact{{Name: "repeats", Value: "refused"}, {Name: "connections", Value: "8"}},
		Results:  []report.Result{{Requirement: "r", Verdict: report.Inapplicable, Reason: "in another shard"}},
		Observed: []report.Observe{{Requirement: "o", Seen: []report.Seen{{What: "400", Count: 5, Kinds: []string{"c", "a"}}, {What: "200", Count: 1, Kinds: []string{"a", "b"}}}}, {Requirement: "q"}},
		CleanUp:  &report.CleanUp{Made: 3, Deleted: 1, Left: []string{"refused (2)", "gone"}},
		Second: &report.SecondOpinion{Reader: "x", Agreed: 2, Disagreed: 2, NotAsked: 1,
			Differences: []report.Difference{{Exact: "valid", Second: "other", Answers: 1, Case: "c"}, {Exact: "valid", Second: "no", Answers: 1, Case: "a"}}},
		Summary: report.Summary{Exchanges: 20},
		Times: report.Times{Began: time.Unix(10, 0), Took: 6, First: 8, Median: 4, Slowest: 5000, Limits: report.Limits{Answers: 2, Rate: 10},
			Answers:  []report.AnswerTimes{{From: 0, Below: 1000, Count: 1}, {From: 4000, Below: 5000, Count: 4}},
			Timeline: report.Timeline{Width: 2e6, Intervals: []report.Interval{{Requests: 4, Unanswered: 1}}}},
		Part: &report.Part{Preflight: 4, Reasons: []string{"late", "lost"}, Agreed: report.Bytes{Data: []byte("bbbbbbbbdddddddd")},
			Disagreed: []report.Bytes{{Data: []byte("eeeeeeee")}, {Data: []byte("cccccccc")}}}}
	return []report.Named{{Name: "two.json", Report: two}, {Name: "one.json", Report: one}}
}

func TestWhatShardsCountIsAddedUpAndWhatTheyShareCountsOnce(t *testing.T) {
	m, err := Merge(shards())
	require.NoError(t, err)
	r := m.Report
	assert.Equal(t, report.Header{Target: "http://a", Cases: 5, MaxStored: 7}, r.Header)
	assert.Equal(t, 26, m.Exchanges, "the pre-flight counts once")
	assert.Equal(t, []string{"late", "lost"}, m.Reasons)
	assert.Equal(t, []report.Fact{{Name: "repeats", Value: "accepted, in another shard refused"}, {Name: "connections", Value: "8"}}, r.Facts)
	assert.Equal(t, []report.Observe{{Requirement: "o", Seen: []report.Seen{{What: "400", Count: 6, Kinds: []string{"a", "c"}}, {What: "200", Count: 4, Kinds: []string{"a", "b"}}}},
		{Requirement: "q"}}, r.Observed)
	assert.Equal(t, &report.CleanUp{Made: 5, Deleted: 2, Left: []string{"refused (3)", "gone"}}, r.CleanUp)
	assert.Equal(t, &report.SecondOpinion{Reader: "x", Agreed: 3, Disagreed: 2, NotAsked: 1, Reason: "without answers above 64 KiB", Differences: []report.Difference{
		{Exact: "valid", Second: "no", Answers: 1, Case: "a"}, {Exact: "valid", Second: "other", Answers: 1, Case: "c"}}}, r.Second)
	assert.Equal(t, report.Times{Began: time.Unix(10, 0), Took: 11, First: 8, Median: 1000, P90: 4800, P99: 4980, Slowest: 5000, Limits: report.Limits{Answers: 3, Rate: 10},
		Answers:  []report.AnswerTimes{{From: 0, Below: 1000, Count: 4}, {From: 4000, Below: 5000, Count: 4}},
		Timeline: report.Timeline{Width: 2e6, Shards: 2, Intervals: []report.Interval{{Requests: 7, Unanswered: 1, FailedCases: 1}}}}, r.Times)
	assert.Nil(t, r.Part)
}

// A failure is repeated with the values of its own shard.
func TestAFailureOfAnotherGenerationSaysWhich(t *testing.T) {
	m, err := Merge(shards())
	require.NoError(t, err)
	require.Len(t, m.Report.Results[0].Failures, 1)
	f := m.Report.Results[0].Failures[0]
	assert.Equal(t, 1, f.N)
	require.NotNil(t, f.Generation)
	assert.Equal(t, 1, *f.Generation)
}

func TestMissingShardsAreNamedAndManyAreCounted(t *testing.T) {
	of := func(total int, numbers ...int) error {
		var list []report.Named
		for _, n := range numbers {
			list = append(list, report.Named{Name: "r.json", Report: &report.Report{Header: report.Header{Cases: 1, Shard: &report.Shard{Number: n, Of: total, Cases: total}}, Part: &report.Part{}}})
		}
		return complete(list)
	}
	assert.EqualError(t, of(4, 1, 4), "shards 2/4, 3/4 are missing: give the reports of all shards")
	assert.EqualError(t, of(3, 1, 3), "shard 2/3 is missing: give the reports of all shards")
	assert.EqualError(t, of(1<<60, 1), "shards 2/1152921504606846976, 3/1152921504606846976, 4/1152921504606846976, 5/1152921504606846976, "+
		"6/1152921504606846976, 7/1152921504606846976, 8/1152921504606846976, 9/1152921504606846976 and 1152921504606846967 more are missing: give the reports of all shards")
	assert.NoError(t, of(2, 2, 1))
}

func TestShardsThatLostACaseAreRefused(t *testing.T) {
	list := shards()
	list[0].Report.Header.Cases--
	_, err := Merge(list)
	assert.EqualError(t, err, "the shards have 4 cases and the plan has 5: a report was changed")
}

func TestTheTimesOfAnExampleFollowItsFailure(t *testing.T) {
	list := shards()
	at := time.Unix(21, 0)
	one := list[1].Report
	one.Results[0].Failures[0].N = 7
	one.Times.Examples = []report.StepTimes{{Failure: 7, Step: 1, Began: at, Took: 5}, {Failure: 8, Step: 1, Began: at, Took: 6}}
	m, err := Merge(list)
	require.NoError(t, err)
	assert.Equal(t, []report.StepTimes{{Failure: 1, Step: 1, Began: at, Took: 5}}, m.Report.Times.Examples)
}

func TestAFailureThatCountsOnlyAcrossShardsKeepsItsTimes(t *testing.T) {
	list := shards()
	at := time.Unix(21, 0)
	one := list[1].Report
	one.Results[0] = report.Result{Requirement: "r", Verdict: report.Inapplicable, Cases: report.Cases{Planned: 1, Judged: 1}}
	one.Part.Requirements[0].AnyPass, one.Part.Requirements[0].Pending = true, []report.Failure{{N: 4, Case: "a", Class: "a"}}
	one.Part.Requirements[0].Ways[0].Classes = []int{0}
	one.Times.Examples = []report.StepTimes{{Failure: 4, Step: 1, Began: at, Took: 5}}
	m, err := Merge(list)
	require.NoError(t, err)
	require.Equal(t, report.Fail, m.Report.Results[0].Verdict)
	assert.Equal(t, []report.StepTimes{{Failure: 1, Step: 1, Began: at, Took: 5}}, m.Report.Times.Examples)
}
