package formats

import (
	"fmt"

	"plantstore/conformance/report"
)

// second tells each answer of which the two judges say different things.
func (s *page) second(o *report.SecondOpinion) {
	if o == nil {
		return
	}
	var rows []string
	for _, d := range o.Differences {
		rows = append(rows, s.row(fmt.Sprintf("%d answers: %s; %s: %s (%s)", d.Status, d.Exact, o.Reader, d.Second, counted(d.Answers, "answer"))),
			s.row(fmt.Sprintf("  first in %s: %s", d.Case, d.Body.Data)))
	}
	s.rows("where the second opinion differs (the first verdict counts)", rows, rowsShown)
}

// agreement says how far both judges agreed.
func agreement(o *report.SecondOpinion) string {
	switch {
	case o == nil:
		return ""
	case o.Agreed+o.Disagreed == 0 && o.Reason == "":
		return ""
	case o.Agreed+o.Disagreed == 0:
		return "no second opinion: " + Escape(o.Reason)
	}
	out := fmt.Sprintf("%s agrees on %d of %s", o.Reader, o.Agreed, counted(o.Agreed+o.Disagreed, "distinct answer"))
	if o.Reason != "" {
		out += " (" + Escape(o.Reason) + ")"
	}
	return out
}
