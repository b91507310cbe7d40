package formats_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// drawn is the part of the page about times; empty if there is none.
func drawn(t *testing.T, times report.Times) string {
	t.Helper()
	r := conformant()
	r.Times = times
	return regexp.MustCompile(`(?s)<section id="times".*?</section>`).FindString(asHTML(t, r, formats.Options{}))
}

func TestHTMLDrawsABarForEachBucketAndSaysWhatItIs(t *testing.T) {
	text := drawn(t, report.Times{Median: 430 * time.Microsecond, P90: 2 * time.Millisecond, P99: 3 * time.Millisecond, Slowest: 4 * time.Millisecond, Answers: []report.AnswerTimes{
		{From: 400 * time.Microsecond, Below: 500 * time.Microsecond, Count: 30}, {From: 3150 * time.Microsecond, Below: 4 * time.Millisecond, Count: 1}}})
	assert.Equal(t, 2, strings.Count(text, `<rect class="bar"`))
	assert.Contains(t, text, "<title>400µs to 500µs: 30 answers</title>")
	assert.Contains(t, text, "Histogram of 31 answers. The most, 30, took 400µs to 500µs. p50: 430µs. p90: 2ms. p99: 3ms. max: 4ms.</desc>")
	assert.Contains(t, text, "<th scope=\"col\">99th percentile (p99)</th>")
	for _, tick := range []string{">100µs<", ">1ms<", ">10ms<"} {
		assert.Contains(t, text, tick)
	}
	assert.NotContains(t, text, "When requests were sent")
}

func TestHTMLMarksOnTheTimelineWhatFailed(t *testing.T) {
	text := drawn(t, report.Times{Timeline: report.Timeline{Width: 500 * time.Millisecond, Shards: 3, Intervals: []report.Interval{
		{Requests: 10}, {From: time.Second, Requests: 4, FailedCases: 2, Unanswered: 1}, {From: 1500 * time.Millisecond, FailedCases: 1}}}})
	assert.Contains(t, text, "Timeline of 14 requests in 2s; at most 10 requests in 500ms. 3 cases failed. 1 request not answered.</desc>")
	assert.Contains(t, text, "<title>at 1s: 2 cases failed</title>")
	assert.Contains(t, text, "<title>at 1.5s: 1 case failed</title>")
	assert.Contains(t, text, "<title>at 1s: 1 request not answered</title>")
	assert.Contains(t, text, "time since the first request of each of 3 shards")
	assert.Equal(t, 2, strings.Count(text, `<rect class="bar"`), "an interval without a request has no bar")
}

func TestHTMLDrawsNothingWhereNothingWasMeasured(t *testing.T) {
	assert.Empty(t, drawn(t, report.Times{}))
}

// TestHTMLDrawsInsideItsArea: a report may come from somebody else.
func TestHTMLDrawsInsideItsArea(t *testing.T) {
	huge := report.Timeline{Width: 1}
	for range 500 {
		huge.Intervals = append(huge.Intervals, report.Interval{Requests: 1})
	}
	for name, times := range map[string]report.Times{
		"as a run writes": conformant().Times,
		"no end":          {Slowest: math.MaxInt64, Answers: []report.AnswerTimes{{From: 1, Below: math.MaxInt64, Count: 1}, {From: math.MaxInt64 / 2, Below: math.MaxInt64, Count: 1}}},
		"negative":        {Median: -5, Slowest: math.MinInt64, Answers: []report.AnswerTimes{{From: -1, Below: 5, Count: -2}, {From: 3, Below: 2, Count: 1}, {From: 1000, Below: 1250, Count: 1}}},
		"many":            {Answers: make([]report.AnswerTimes, 5000), Timeline: huge},
		"late":            {Timeline: report.Timeline{Width: math.MaxInt64, Intervals: []report.Interval{{Requests: 1}, {From: math.MaxInt64, Requests: 1}}}},
		"huge counts":     {Timeline: report.Timeline{Width: 1, Intervals: []report.Interval{{Requests: math.MaxInt}, {Requests: 1 << 40}}}},
	} {
		text := drawn(t, times)
		assert.LessOrEqual(t, len(text), 40_000, name)
		assert.NotContains(t, text, "NaN", name)
		assert.NotContains(t, text, "Inf", name)
		for _, m := range regexp.MustCompile(` (?:x|y|x1|x2|width|height)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			assert.Regexp(t, `^\d{1,3}(\.\d)?$`, m[1], name)
		}
	}
}
