package reports

import (
	"time"

	"plantstore/conformance/report"
)

// What is noise between two runs on one machine: less than twice the time, or a difference
// that a busy machine makes, or a percentile of a few answers.
const (
	noiseFactor  = 2
	noiseTime    = 10 * time.Millisecond
	noiseAnswers = 100
)

// latency lists the percentiles of the times of answers that differ by more than noise. The
// slowest answers of a run are left out: those are noise.
func latency(old, now *report.Times) []report.LatencyChange {
	if answered(old) < noiseAnswers || answered(now) < noiseAnswers {
		return nil
	}
	var out []report.LatencyChange
	for _, c := range []report.LatencyChange{{Percentile: "p50", Was: old.Median, Is: now.Median}, {Percentile: "p90", Was: old.P90, Is: now.P90}} {
		less, more := min(c.Was, c.Is), max(c.Was, c.Is)
		if less >= 0 && more-less >= noiseTime && more/noiseFactor >= less {
			out = append(out, c)
		}
	}
	return out
}

func answered(t *report.Times) int {
	n := 0
	for _, b := range t.Answers {
		n += b.Count
	}
	return n
}
