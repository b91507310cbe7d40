package formats

import (
	"fmt"
	"strings"

	"plantstore/conformance/report"
)

// sameReason is the requirements that have one verdict for one reason.
type sameReason struct {
	who, reason string // who names a few of them
	n           int
}

// byReason puts the requirements of one verdict together by their reasons: a target
// that is not there gives one reason for all of them.
func byReason(r *report.Report, v report.Verdict) []sameReason {
	var reasons []string
	by := map[string][]string{}
	for _, x := range r.Results {
		if x.Verdict != v {
			continue
		}
		if by[x.Reason] == nil {
			reasons = append(reasons, x.Reason)
		}
		by[x.Reason] = append(by[x.Reason], fmt.Sprintf("%s (%s)", x.Requirement, x.Level))
	}
	var out []sameReason
	for _, reason := range reasons {
		ids := by[reason]
		g := sameReason{who: strings.Join(ids, ", "), reason: reason, n: len(ids)}
		if len(ids) > 4 {
			g.who = fmt.Sprintf("%s and %d more", strings.Join(ids[:3], ", "), len(ids)-3)
		}
		if reason == "" {
			g.reason = "no reason given"
		}
		out = append(out, g)
	}
	return out
}

// untried says which cases of a requirement were not tried although it passed; empty
// if all were.
func untried(x report.Result) string {
	switch {
	case x.Verdict != report.Pass || x.Cases.NotTried == 0:
		return ""
	case x.Reason != "":
		return x.Reason
	}
	return fmt.Sprintf("%d of %d not tried", x.Cases.NotTried, x.Cases.Planned)
}
