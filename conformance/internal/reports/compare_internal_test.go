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
