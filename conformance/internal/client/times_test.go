package client

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func counted(times ...time.Duration) *Histogram {
	var h Histogram
	for _, d := range times {
		h.Add(d, 1)
	}
	return &h
}

func TestATimeIsInTheBucketThatBeginsAtOrBeforeIt(t *testing.T) {
	assert.Equal(t, []report.AnswerTimes{
		{From: 0, Below: time.Microsecond, Count: 2},
		{From: time.Microsecond, Below: 1250 * time.Nanosecond, Count: 1},
		{From: 800 * time.Microsecond, Below: time.Millisecond, Count: 1},
		{From: time.Millisecond, Below: 1250 * time.Microsecond, Count: 2},
		{From: 10_000 * time.Second, Below: 1<<63 - 1, Count: 1},
	}, counted(-1, 0, time.Microsecond, time.Millisecond-1, time.Millisecond, 1249*time.Microsecond, 100*time.Hour).Buckets())
	assert.Nil(t, counted().Buckets())
}

func TestEachBucketIsAtMost28PercentWiderThanItsBegin(t *testing.T) {
	for i := 2; i < len(bounds); i++ {
		ratio := float64(bounds[i]) / float64(bounds[i-1])
		assert.True(t, 1.2 < ratio && ratio <= 1.28, "%s after %s", bounds[i], bounds[i-1])
	}
}

func TestPercentilesAreOffByLessThanABucket(t *testing.T) {
	var h Histogram
	for i := 1; i <= 1000; i++ {
		h.Add(time.Duration(i)*time.Millisecond, 1)
	}
	for p, want := range map[int]time.Duration{1: 10, 50: 500, 90: 900, 99: 990, 100: 1000} {
		want *= time.Millisecond
		assert.InEpsilon(t, want, h.Percentile(p, time.Second), 0.28, "p%d", p)
	}
	assert.Less(t, h.Percentile(50, time.Second), h.Percentile(90, time.Second))
	assert.Equal(t, 3*time.Millisecond, counted(3*time.Millisecond).Percentile(99, 3*time.Millisecond), "never above the slowest")
	assert.Zero(t, counted().Percentile(50, time.Second))
}

func TestHistogramsOfShardsAddUp(t *testing.T) {
	whole := counted(1, time.Millisecond, time.Millisecond, time.Second)
	var merged Histogram
	merged.AddAll(counted(1, time.Millisecond).Buckets())
	merged.AddAll(counted(time.Second, time.Millisecond).Buckets())
	assert.Equal(t, whole.Buckets(), merged.Buckets())
	merged.AddAll([]report.AnswerTimes{{From: -5, Count: -3}})
	assert.Equal(t, whole.Buckets(), merged.Buckets(), "a count that no run writes")
}

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
