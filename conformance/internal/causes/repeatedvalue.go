package causes

import (
	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
)

var repeatedValue = cause.Hypothesis{
	Name:    "repeated-value",
	Doc:     "Sends new valid requests, and others in which one value was used before, because only the refusal of a repeated value may be wrong.",
	Settled: true,
	Find: func(l *cause.Lab) *cause.Cause {
		for _, path := range l.RefusedRepeats() {
			var fresh, again cause.Tally
			for range limits.CauseAgain {
				steps := l.Repeat(path)
				if steps == nil {
					break
				}
				l.Once([]plan.Step{l.Valid()}, &fresh)
				l.Once(steps, &again)
			}
			if fresh.Never(limits.CauseAgain) && again.Always(limits.CauseAgain) {
				return &cause.Cause{Failure: again.Example, Sentence: "fails with the " + path + " of a request that was accepted before, and not with a new one"}
			}
		}
		return nil
	},
}
