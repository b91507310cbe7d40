package client

import (
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
