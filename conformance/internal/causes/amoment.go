package causes

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var aMoment = Hypothesis{
	Name: "a-moment",
	Doc:  "Sends the request right behind another one and after a pause, because a decision can be remembered for a moment.",
	Find: func(l *Lab) *Cause {
		var soon, later Tally
		for range limits.CauseAgain {
			for _, t := range []*Tally{&soon, &later} {
				own := l.Session()
				l.Last(own, []plan.Step{l.Valid()}, new(Tally))
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
		return &Cause{Failure: soon.Example,
			Sentence: fmt.Sprintf("fails right behind an accepted request, and not after a pause of %v", limits.CausePause)}
	},
}
