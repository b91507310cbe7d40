package causes

import (
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
		wrong := l.Refused(plan.ExpectRefusedCredential)
		if wrong.Message == nil || l.Recased(wrong.Message) {
			return false
		}
		l.Once([]plan.Step{l.Valid(), wrong}, &out)
	}
	return out.Never(limits.CauseAgain)
}
