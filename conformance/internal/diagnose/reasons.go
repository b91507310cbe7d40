package diagnose

import (
	"cmp"
	"fmt"

	"plantstore/conformance/report"
)

// reasons are what the verdict on a requirement follows from, in a run as in all shards of
// a plan together.
type reasons struct {
	tally
	failed bool
	// unknown says which value must be named before the requirement can be judged.
	unknown string
	// unplanned gives the verdict if there is no case, untested if all cases were tried and
	// none was judged.
	unplanned, untested func() (report.Verdict, string)
}

// verdict returns what the first reason that applies makes of the requirement.
func (r *reasons) verdict() (report.Verdict, string) {
	none := r.judged == 0
	switch {
	case r.failed:
		return report.Fail, ""
	case r.unknown != "":
		return report.Inconclusive, r.unknown
	case none && r.wrong != "":
		return report.Error, r.wrong
	case r.planned == 0:
		return r.unplanned()
	case none && r.suppressedBy != "":
		return report.Inconclusive, suppressed + r.suppressedBy
	case none && r.untried > 0:
		return report.Inconclusive, cmp.Or(r.why, "no case could be tried")
	case none:
		return r.untested()
	case r.untriedClass != "":
		return report.Inconclusive, fmt.Sprintf("no case of %s could be tried: %s", r.untriedClass, r.why)
	case r.untried > 0:
		return report.Pass, fmt.Sprintf("%d of %d cases not tried: %s", r.untried, r.planned, r.why)
	}
	return report.Pass, ""
}

// noneJudged is the reason if cases were tried and no answer showed anything.
const noneJudged = "no exchange could be judged"
