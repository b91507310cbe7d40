package causes

import (
	"fmt"

	"plantstore/internal/limits"
)

var mistakenRepeat = Hypothesis{
	Name:    "mistaken-repeat",
	Doc:     "Sends pairs of new numbers that are equal as a double or as an int32, because a check for repeated values can compare less than all digits.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		member, ok := l.Repeated()
		if !ok {
			return nil
		}
		pairs := func(apart int64) Tally {
			var out Tally
			for range limits.CauseAgain {
				l.Once(l.Pair(member, apart), &out)
			}
			return out
		}
		for _, kind := range []struct {
			name         string
			equal, other int64
		}{
			{"a double", 1, 1 << 11},
			{"an int32", 1 << 32, 1 << 11},
		} {
			if same := pairs(kind.equal); same.Always(limits.CauseAgain) && pairs(kind.other).Never(limits.CauseAgain) {
				return &Cause{Failure: same.Example, Sentence: fmt.Sprintf("refused like a repeated value after a request with another /%s that is equal as %s", member, kind.name)}
			}
		}
		return nil
	},
}
