package causes

import (
	"fmt"

	"plantstore/internal/limits"
)

var atFirst = Hypothesis{
	Name: "at-first",
	Doc:  "Compares when cases of one kind failed and passed, and sends the request again: if only the first of them failed, something is made on demand.",
	Find: func(l *Lab) *Cause {
		h := l.History()
		if len(h.Failed) == 0 || len(h.Passed) < least {
			return nil
		}
		to, from := Last(h.Failed), First(h.Passed)
		if to.Sent > from.Sent && (len(h.Failed) < least || to.Sent > from.Sent+beside) || !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		if to.Sent*early > l.Sent() {
			return nil // some cases always come before others: that is no beginning
		}
		if to.Sent == 1 {
			return &Cause{Past: true, Sentence: "failed only in the first request of the run, and never since"}
		}
		return &Cause{Past: true, Sentence: fmt.Sprintf("failed only among the first %d requests of the run, and never since", to.Sent)}
	},
}
