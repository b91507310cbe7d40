package formats

import (
	"fmt"
	"time"

	"plantstore/conformance/report"
)

// unavailableTold is from how many answers 503 without Retry-After the report
// speaks of a target that may shed load.
const unavailableTold = 5

// heldBack words how the target held the run back; empty where it did not.
func heldBack(r *report.Report) string {
	l, out := r.Times.Limits, ""
	if l.Answers > 0 {
		out = fmt.Sprintf("%s asked the client to wait (429, or 503 with Retry-After): waited %s in total", counted(l.Answers, "answer"), l.Waited.Round(time.Millisecond))
		if l.Rate > 0 {
			out += ", then slowed down to " + counted(l.Rate, "request") + " per second (to start with this rate, use --rate)"
		}
	}
	if l.Unavailable >= unavailableTold {
		if out != "" {
			out += "; "
		}
		out += fmt.Sprintf("%s 503 without Retry-After: if the target is overloaded, set --rate N", counted(l.Unavailable, "answer"))
		if took := r.Times.Took.Seconds(); took > 0 {
			out += fmt.Sprintf(" (this run sent about %.0f per second)", float64(r.Summary.Exchanges)/took)
		}
	}
	return out
}
