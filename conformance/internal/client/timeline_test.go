package client

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

const ms = time.Millisecond

func TestATimelineCountsRequestsAndFailuresInTheirIntervals(t *testing.T) {
	var line Timeline
	start := time.Unix(1000, 0)
	line.Failed(start) // before the first request: not in the timeline
	line.Sent(start.Add(ms), true)
	line.Sent(start, true) // counted later by another goroutine
	line.Sent(start.Add(4*ms), false)
	line.Failed(start.Add(6 * ms))
	assert.Equal(t, report.Timeline{Width: ms, Intervals: []report.Interval{
		{From: 0, Requests: 2}, {From: 3 * ms, Requests: 1, Unanswered: 1}, {From: 5 * ms, FailedCases: 1}}}, line.Report())
	assert.Equal(t, report.Timeline{}, new(Timeline).Report())
}

func TestALongRunHasWiderIntervalsAndNoMoreThan60(t *testing.T) {
	var line Timeline
	start := time.Unix(1000, 0)
	for i := range 10_000 {
		line.Sent(start.Add(time.Duration(i)*ms), i%2 == 0)
	}
	got := line.Report()
	assert.Equal(t, 256*ms, got.Width)
	assert.Len(t, got.Intervals, 40)
	assert.Equal(t, report.Interval{From: 256 * ms, Requests: 256, Unanswered: 128}, got.Intervals[1])
	sum := 0
	for _, x := range got.Intervals {
		sum += x.Requests
	}
	assert.Equal(t, 10_000, sum)
}

func TestTimelinesOfShardsAreLaidOverEachOther(t *testing.T) {
	short := report.Timeline{Width: ms, Intervals: []report.Interval{{From: 0, Requests: 1}, {From: 7 * ms, Requests: 2, FailedCases: 1}}}
	long := report.Timeline{Width: 4 * ms, Intervals: []report.Interval{{From: 4 * ms, Requests: 5, Unanswered: 1}}}
	for name, list := range map[string][]report.Timeline{"short first": {short, long}, "long first": {long, short}} {
		var line Timeline
		for _, x := range append(list, report.Timeline{Width: time.Hour}) { // nothing was sent in the last one
			line.AddAll(x)
		}
		assert.Equal(t, report.Timeline{Width: 4 * ms, Intervals: []report.Interval{
			{From: 0, Requests: 1}, {From: 4 * ms, Requests: 7, Unanswered: 1, FailedCases: 1}}}, line.Report(), name)
	}
}

func TestATimelineThatNoRunWritesEndsToo(t *testing.T) {
	var line Timeline
	line.AddAll(report.Timeline{Width: math.MaxInt64, Intervals: []report.Interval{{From: math.MaxInt64, Requests: 1}, {From: -1, Requests: -5}}})
	got := line.Report()
	assert.LessOrEqual(t, len(got.Intervals), 60)
	assert.Positive(t, got.Width)
}
