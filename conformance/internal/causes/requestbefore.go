package causes

import (
	"plantstore/conformance/internal/cause"
)

var requestBefore = cause.Hypothesis{
	Name:    "request-before",
	Doc:     "Sends two valid requests one after the other and looks whose values the second answer has, because a server can answer with what it has stored last.",
	Settled: true,
	Find: func(l *cause.Lab) *cause.Cause {
		if !l.Exchanged() {
			return nil
		}
		same, shown := inTurn(l, 0)
		if !same {
			return nil
		}
		out := &cause.Cause{Failure: shown, Sentence: "each answer has the values of the request before"}
		if elsewhere, _ := inTurn(l, 1); elsewhere {
			out.Sentence += ", on whatever connection that came"
		} else {
			out.Sentence += " on the same connection"
		}
		return out
	},
}
