package causes

import (
	"fmt"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var fieldCache = Hypothesis{
	Name: "field-cache",
	Doc:  "Sends a credential in another case behind the right one, on the same and on another connection, because a server can keep the header fields of a connection and compare them without case.",
	Find: func(l *Lab) *Cause {
		if !l.Recased(l.Request().Message) || !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		same := behind(l, 0, l.Valid)
		if !same.Always(limits.CauseAgain) || !behind(l, 1, l.Valid).Never(limits.CauseAgain) || !otherWrong(l) {
			return nil
		}
		return &Cause{Failure: same.Example, Sentence: "fails only behind a request with the right credential on the same connection, and is that credential in another case: " +
			"the server keeps the header fields of a connection and compares them without case"}
	},
}

// otherWrong reports whether another wrong credential is refused behind the right one.
func otherWrong(l *Lab) bool {
	var out Tally
	for range limits.CauseAgain {
		wrong := l.Refused(message.RefuseCredential)
		if wrong.Message == nil || l.Recased(wrong.Message) {
			return false
		}
		l.Once([]plan.Step{l.Valid(), wrong}, &out)
	}
	return out.Never(limits.CauseAgain)
}

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

var passedEarlier = Hypothesis{
	Name:    "passed-earlier",
	Doc:     "Sends cases again that passed before the first failure: if they fail now, the target has changed, and the failure needs what came before.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		cases := l.Earlier()
		if len(cases) == 0 || !l.Alone().Always(limits.CauseAlone) {
			return nil
		}
		changed, requests, sent := 0, 0, 0
		for _, c := range cases {
			if sent > limits.CauseEarlier || sent > limits.CauseEarlier/4 && changed == 0 {
				break
			}
			n, failed, ok := l.Resend(c)
			if !ok {
				return nil
			}
			if sent += n; failed > 0 {
				changed++
				requests += failed
			}
		}
		if changed < enough {
			return nil
		}
		if sent <= limits.CauseEarlier {
			return &Cause{Past: true, Sentence: fmt.Sprintf("passed about %d times at first and fails from then on: what passed before fails if it is sent again", requests)}
		}
		from := First(l.History().Failed)
		return &Cause{Past: true, Since: from.Sent, Sentence: fmt.Sprintf("fails since about request %d of the run, of which about %d were refused: cases that passed before fail if they are sent again", from.Sent, from.Refused)}
	},
}
