package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// ReplayedLine writes what became of one failure of a report, on one line.
func ReplayedLine(w io.Writer, x report.Replayed, o Options) error {
	s := newPage(o)
	word := fmt.Sprintf("%-11s", x.Outcome)
	line := fmt.Sprintf("%s (%s) %s", s.paint(strong, Escape(x.Requirement)), Escape(string(x.Level)), Escape(x.Case))
	if x.Place != nil {
		line += fmt.Sprintf(" at %s:%d", Escape(x.Place.File), x.Place.Line)
	}
	if x.Known {
		line += ", a known failure"
	}
	s.line("%s %s: %s", s.paint(replayStyle(x), word), line, cut(became(x), 2*s.width))
	return s.send(w)
}

// became says what was sent and what came.
func became(x report.Replayed) string {
	switch x.Outcome {
	case report.Fixed:
		return fmt.Sprintf("sent %s; got %s before", x.Sent, x.Was)
	case report.NotTried:
		return x.Reason
	case report.StillFails:
		text := fmt.Sprintf("sent %s; got %s", x.Sent, x.Got)
		if x.Got != x.Was {
			text += ", before " + x.Was
		}
		if x.Fails != x.Requirement {
			text += "; it now breaks " + x.Fails
		}
		return text
	}
	return fmt.Sprintf("it fails %s (%s) now: got %s, before %s", x.Fails, x.FailsLevel, x.Got, x.Was)
}

func replayStyle(x report.Replayed) style {
	switch {
	case x.Outcome == report.Fixed:
		return good
	case x.Gates:
		return bad
	}
	return doubtful
}

// ReplaySummary writes the last line of a replay: how many failures came to which outcome.
func ReplaySummary(w io.Writer, r *report.Replay, o Options) error {
	s := newPage(o)
	if len(r.Failures) == 0 {
		s.line("the report has no failures: nothing was sent")
		return s.send(w)
	}
	var parts []string
	for _, c := range []struct {
		of         report.ReplayOutcome
		one, other string
	}{
		{report.Fixed, "fixed", "fixed"}, {report.StillFails, "still fails", "still fail"},
		{report.Changed, "fails otherwise", "fail otherwise"}, {report.NotTried, "not tried", "not tried"},
	} {
		switch n := r.Count(c.of); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+c.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, c.other))
		}
	}
	st := doubtful
	switch {
	case r.Gates():
		st = bad
	case r.Count(report.Fixed) == len(r.Failures):
		st = good
	}
	s.line("%s", s.paint(st, counted(len(r.Failures), "failure")+": "+strings.Join(parts, ", ")))
	return s.send(w)
}
