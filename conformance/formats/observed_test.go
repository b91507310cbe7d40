package formats

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestAReportSaysHowOftenTheRunWasLimitedAndHowLongItWaited(t *testing.T) {
	r := &report.Report{Summary: report.Summary{Exchanges: 1000}, Times: report.Times{Took: 2 * time.Second}}
	assert.Empty(t, heldBack(r))
	r.Times.Limits = report.Limits{Answers: 1, Waited: 1500 * time.Millisecond}
	assert.Equal(t, "1 answer asked the client to wait (429, or 503 with Retry-After): waited 1.5s in total", heldBack(r))
	r.Times.Limits = report.Limits{Answers: 12, Waited: time.Second, Rate: 380}
	assert.Contains(t, heldBack(r), "then slowed down to 380 requests per second (to start with this rate, use --rate)")
	r.Times.Limits = report.Limits{Unavailable: unavailableTold - 1}
	assert.Empty(t, heldBack(r), "a few are no bursts")
	r.Times.Limits = report.Limits{Unavailable: 40}
	assert.Equal(t, "40 answers 503 without Retry-After: if the target is overloaded, set --rate N (this run sent about 500 per second)", heldBack(r))
}
