package formats

import (
	"fmt"

	"plantstore/conformance/report"
)

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
