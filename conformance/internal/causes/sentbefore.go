package causes

import (
	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
)

var sentBefore = cause.Hypothesis{
	Name:    "sent-before",
	Doc:     "Sends a wrong credential that is new and then again, because a server can remember the wrong ones.",
	Settled: true,
	Find: func(l *cause.Lab) *cause.Cause {
		var first, again, other cause.Tally
		for range limits.CauseAgain {
			wrong := l.Wrong()
			if wrong.Message == nil {
				return nil
			}
			l.Once([]plan.Step{wrong}, &first)
			if first.Failed > 0 {
				return nil
			}
			l.Once([]plan.Step{l.Wrong(), l.Wrong()}, &other)
			twice := l.Wrong()
			repeat := l.Valid()
			repeat.Message.Credentials = twice.Message.Credentials
			twice.Connection = 1
			l.Once([]plan.Step{twice, repeat}, &again)
		}
		if !first.Never(limits.CauseAgain) || !other.Never(limits.CauseAgain) || !again.Always(limits.CauseAgain) {
			return nil
		}
		return &cause.Cause{Failure: again.Example, Sentence: "fails only with a wrong credential that was sent before, on whatever connection; the first request with it is refused"}
	},
}
