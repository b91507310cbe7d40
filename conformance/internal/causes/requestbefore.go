package causes

import (
	"plantstore/conformance/internal/plan"
)

var requestBefore = Hypothesis{
	Name:    "request-before",
	Doc:     "Sends two requests one after the other and looks whose values the second answer has, because a server can answer with what it has stored last.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		if !l.Exchanged() {
			return nil
		}
		valid := func() []plan.Step { return []plan.Step{l.Valid(), l.Valid()} }
		if out := exchanged("each answer has the values of the request before", l, valid); out != nil {
			return out
		}
		if l.Case.Class.Expected == plan.ExpectMustAccept {
			return sameBody(l)
		}
		refused := func() []plan.Step { return []plan.Step{l.Valid(), l.Request()} }
		if out := exchanged("the answer has the values of the request before", l, refused); out != nil {
			return out
		}
		return sameBody(l)
	},
}

// exchanged sends pairs of requests and looks whether the answer to the second always has
// the values of the first, and whether their connections matter.
func exchanged(sentence string, l *Lab, pair func() []plan.Step) *Cause {
	same, shown := inTurn(l, 0, pair)
	if !same {
		return nil
	}
	out := &Cause{Failure: shown, Sentence: sentence}
	if elsewhere, _ := inTurn(l, 1, pair); elsewhere {
		out.Sentence += ", on whatever connection that came"
	} else {
		out.Sentence += " on the same connection"
	}
	return out
}

// shortest is more than a baseline request usually has, in bytes.
const shortest = 150

// sameBody looks whether the length of the body decides. No length comes in two pairs.
func sameBody(l *Lab) *Cause {
	if l.Sized(shortest).Message == nil {
		return nil
	}
	bytes := shortest
	apart := func(by int) func() []plan.Step {
		return func() []plan.Step {
			bytes += 7
			return []plan.Step{l.Sized(bytes), l.Sized(bytes + by)}
		}
	}
	if other, _ := inTurn(l, 0, apart(1)); other {
		return nil
	}
	return exchanged("fails behind a request whose body has the same length: the answer has the values of that one", l, apart(0))
}
