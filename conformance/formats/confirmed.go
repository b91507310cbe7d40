package formats

import (
	"fmt"

	"plantstore/conformance/report"
)

// TriedFirstLine says on one line, while the run goes on, whether what failed in the last
// run fails again.
func TriedFirstLine(x report.TriedFirst) string {
	line := "tried first: " + Escape(x.Requirement) + ": "
	switch judged := x.Cases - x.Unanswered; {
	case x.Failed > 0:
		line += fmt.Sprintf("%d of %s fail again", x.Failed, counted(x.Cases, "case"))
	case judged == 0:
		line += "could not be judged yet"
	default:
		line += fmt.Sprintf("none of %s fails now", counted(judged, "case"))
	}
	if x.Unanswered > 0 && x.Unanswered < x.Cases {
		line += fmt.Sprintf(", %d could not be judged yet", x.Unanswered)
	}
	return line
}

// ConfirmedLine describes a failure on one line while the run goes on: whether it happened
// again, and what was sent, expected and seen.
func ConfirmedLine(r report.Result, f report.Failure, o Options) string {
	what := "confirmed"
	switch {
	case f.NotTriedAgain != "":
		what = "not tried again"
	case !f.Stable:
		what = "unstable"
	}
	s := newPage(o)
	line := fmt.Sprintf("%s (%s): sent %s; expected %s; got %s", Escape(r.Requirement), r.Level, Escape(f.Sent), Escape(f.Expected), Escape(f.Got))
	return s.paint(bad, what) + " " + cut(line, s.width)
}
