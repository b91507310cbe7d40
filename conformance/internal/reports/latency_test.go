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
