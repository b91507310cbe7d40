package causes

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var inFlight = Hypothesis{
	Name: "in-flight",
	Doc:  "Sends more and more requests at the same time, because handlers share state. What fails one after the other needs none of them.",
	Find: func(l *Lab) *Cause {
		if !l.Alone().Never(limits.CauseAlone) || len(l.Rows().Failed()) > 0 {
			return nil
		}
		if c := together(l, l.Request); c != nil {
			return c
		}
		return together(l, l.Valid)
	},
}

// together finds the least number of requests in flight with which one fails.
func together(l *Lab, beside func() plan.Step) *Cause {
	least, most := 1, l.Connections()
	for n := 2; n <= most; n *= 2 {
		got := l.Rounds(n, limits.CauseRounds, beside)
		if got.Failed == 0 {
			least = n
			continue
		}
		return narrowed(l, least, n, got, beside)
	}
	return nil
}

// narrowed searches between a number with which none failed and one with which some did.
func narrowed(l *Lab, none, some int, seen Tally, beside func() plan.Step) *Cause {
	for some-none > 1 {
		n := (none + some) / 2
		if got := l.Rounds(n, limits.CauseRounds, beside); got.Failed > 0 {
			some, seen = n, got
		} else {
			none = n
		}
	}
	again := l.Rounds(some, limits.CauseRounds, beside)
	if again.Failed+seen.Failed < 2 {
		return nil
	}
	out := &Cause{Failure: seen.Example, Sentence: "fails only while another request is in flight"}
	if some > 2 {
		out.Sentence = fmt.Sprintf("fails with %d or more requests in flight", some)
		if less := l.Rounds(none, 2*limits.CauseRounds, beside); less.Failed > 0 || less.Cut {
			out.Sentence = "fails at times while others are in flight, and never alone"
		}
	}
	return out
}
