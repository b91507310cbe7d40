package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// TargetsJSON writes as JSON where two targets differ.
func TargetsJSON(w io.Writer, d *report.TargetDiff) error { return writeJSON(w, d) }

// TargetsText writes for people where two targets differ: the contract first.
func TargetsText(w io.Writer, d *report.TargetDiff, o Options) error {
	s := newPage(o)
	s.field(0, "A", sideOf(d.A), fieldLines)
	s.field(0, "B", sideOf(d.B), fieldLines)
	s.field(0, "settings", strings.Join(d.Differ, "; "), fieldLines)
	if len(d.Verdicts) > 0 {
		s.blank()
		s.line("%s", s.paint(strong, "verdicts that differ: "+counted(len(d.Verdicts), "requirement")))
	}
	for _, c := range d.Verdicts {
		st := doubtful
		if c.Gates {
			st = bad
		}
		s.line("  %s (%s): A %s, B %s", s.paint(st, Escape(c.Requirement)), Escape(string(c.Level)), verdictWord(c.Was), verdictWord(c.Is))
		s.detail(apart(c))
	}
	var rows []string
	for _, x := range d.Answers {
		rows = append(rows, cut(fmt.Sprintf("%s: A %s; B %s (%s)", x.Class, x.A, x.B, counted(x.Requests, "request")), 2*s.width))
	}
	s.rows("requests with different answers", rows, rowsShown)
	rows = nil
	for _, x := range d.Observed {
		for _, c := range x.Changes {
			rows = append(rows, cut(fmt.Sprintf("%s: A %s; B %s", x.Requirement, strings.Join(c.Was, " or "), strings.Join(c.Is, " or ")), 2*s.width))
		}
	}
	s.rows("open points with different answers (not judged)", rows, rowsShown)
	s.blank()
	switch {
	case d.Gates:
		s.line("%s", s.paint(bad, "DIFFERENT: "+counted(gating(d.Verdicts), "requirement")+" failed for only one target"))
	case len(d.Verdicts)+len(d.Answers)+len(d.Observed) > 0:
		s.line("%s", s.paint(doubtful, "different, but in nothing that makes a run fail"))
	default:
		s.line("%s", s.paint(good, "no difference"))
	}
	return s.send(w)
}

// apart says what shows that the verdicts differ.
func apart(c report.Change) string {
	switch {
	case c.Is == report.Fail:
		return fmt.Sprintf("sent %s; B got %s", c.Sent, c.Got)
	case c.Was == report.Fail:
		return fmt.Sprintf("sent %s; A got %s", c.Sent, c.WasGot)
	}
	return c.Reason
}
