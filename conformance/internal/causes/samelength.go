package causes

import (
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// farLonger is a length that no case has: so many letters more than the right credential.
const farLonger = 41

var sameLength = Hypothesis{
	Name:    "same-length",
	Doc:     "Sends credentials of letters that are as long as the right one, and longer and shorter ones, also behind the right one with as many blanks more, because a cache can have the length for its key.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		if !l.AboutCredential() || l.AsLong("q", 0).Message == nil {
			return nil
		}
		lengths := func(more int) Tally {
			var out Tally
			for _, letter := range []string{"q", "w", "z"} {
				l.Once([]plan.Step{l.AsLong(letter, more)}, &out)
				if more == 0 && out.Passed > 0 {
					break // most failures are not about the length
				}
			}
			return out
		}
		same := lengths(0)
		if !same.Always(limits.CauseAgain) || !lengths(farLonger).Never(limits.CauseAgain) || !lengths(farLonger+1).Never(limits.CauseAgain) {
			return nil
		}
		if shown, other := behindAsLong(l, 0), behindAsLong(l, 1); shown.Always(limits.CauseAgain) && other.Never(limits.CauseAgain) {
			return &Cause{Failure: shown.Example, Sentence: "fails only after a request with the right credential whose header field has the same length"}
		}
		if !lengths(-1).Never(limits.CauseAgain) {
			return nil
		}
		return &Cause{Failure: same.Example, Sentence: "fails with any credential that is as long as the right one, and not with longer or shorter ones"}
	},
}

// behindAsLong sends credentials of letters on one connection, behind the right one on
// another, which has so many blanks more that it is as long, or shorter by a number. No
// length comes twice.
func behindAsLong(l *Lab, shorter int) Tally {
	var out Tally
	for i, letter := range []string{"q", "w", "z"} {
		more := farLonger + 10*(i+1) + 5*shorter
		first, then := l.Padded(more-shorter), l.AsLong(letter, more)
		first.Connection = 1
		l.Once([]plan.Step{first, then}, &out)
	}
	return out
}
