package causes

import (
	"fmt"

	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
)

var aMoment = cause.Hypothesis{
	Name: "a-moment",
	Doc:  "Sends the request right behind another one and after a pause, because a decision can be remembered for a moment.",
	Find: func(l *cause.Lab) *cause.Cause {
		var soon, later cause.Tally
		for range limits.CauseAgain {
			for _, t := range []*cause.Tally{&soon, &later} {
				own := l.Session()
				l.Last(own, []plan.Step{l.Valid()}, new(cause.Tally))
				own.Fresh()
				if t == &later {
					l.Pause(limits.CausePause)
				}
				l.Last(own, []plan.Step{l.Request()}, t)
				own.Close()
			}
		}
		if !soon.Always(limits.CauseAgain) || !later.Never(limits.CauseAgain) {
			return nil
		}
		return &cause.Cause{Failure: soon.Example,
			Sentence: fmt.Sprintf("fails right behind an accepted request, and not after a pause of %v", limits.CausePause)}
	},
}
