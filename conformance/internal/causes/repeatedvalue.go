package causes

import (
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var repeatedValue = Hypothesis{
	Name:    "repeated-value",
	Doc:     "Sends new valid requests, and others in which one value was used before, because only the refusal of a repeated value may be wrong.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		for _, path := range l.RefusedRepeats() {
			var fresh, again Tally
			for range limits.CauseAgain {
				steps := l.Repeat(path)
				if steps == nil {
					break
				}
				l.Once([]plan.Step{l.Valid()}, &fresh)
				l.Once(steps, &again)
			}
			if fresh.Never(limits.CauseAgain) && again.Always(limits.CauseAgain) {
				return &Cause{Failure: again.Example, Sentence: "fails with the " + path + " of a request that was accepted before, and not with a new one"}
			}
		}
		return nil
	},
}
