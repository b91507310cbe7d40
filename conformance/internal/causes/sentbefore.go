package causes

import (
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var sentBefore = Hypothesis{
	Name:    "sent-before",
	Doc:     "Sends a wrong credential that is new and then again, because a server can remember the wrong ones.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		var first, again, other Tally
		for i := range limits.CauseAgain {
			wrong := l.Wrong()
			if wrong.Message == nil {
				return nil
			}
			l.Once([]plan.Step{wrong}, &first)
			if first.Failed > 0 {
				return nil
			}
			// Their order changes: what fails on every fourth connection is another fault.
			if i%2 == 0 {
				pair(l, false, &other)
			}
			pair(l, true, &again)
			if i%2 == 1 {
				pair(l, false, &other)
			}
		}
		if !first.Never(limits.CauseAgain) || !other.Never(limits.CauseAgain) || !again.Always(limits.CauseAgain) {
			return nil
		}
		return &Cause{Failure: again.Example, Sentence: "fails only with a wrong credential that was sent before, on whatever connection; the first request with it is refused"}
	},
}

// pair sends two new wrong credentials on two connections, or the same one twice.
func pair(l *Lab, same bool, into *Tally) {
	one, two := l.Wrong(), l.Wrong()
	if same {
		two.Message.Credentials = one.Message.Credentials
	}
	one.Connection = 1
	l.Once([]plan.Step{one, two}, into)
}
