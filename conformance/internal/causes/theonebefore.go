package causes

import (
	"plantstore/internal/limits"
)

var theOneBefore = Hypothesis{
	Name: "the-one-before",
	Doc:  "Sends the request behind the one that came before it on its connection, because a server that does not read the whole body of a request takes the rest for the next one.",
	Find: func(l *Lab) *Cause {
		before, name := l.Before()
		if before == nil || !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		got := behind(l, 0, before)
		if !got.Always(limits.CauseAgain) {
			return nil
		}
		return settle(l, &Cause{Failure: got.Example}, before, "a request such as that of "+name)
	},
}
