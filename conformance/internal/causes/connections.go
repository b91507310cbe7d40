package causes

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var behindAnother = Hypothesis{
	Name: "behind-another",
	Doc:  "Sends the request alone and behind another one, accepted or refused, on the same and on another connection, because something of that one can be left over.",
	Find: func(l *Lab) *Cause {
		if !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		kinds := befores(l)
		var which []int
		var shown *Cause
		for i := range kinds {
			got := behind(l, 0, kinds[i].make)
			if !got.Always(limits.CauseAgain) {
				continue
			}
			which = append(which, i)
			if shown == nil {
				shown = &Cause{Failure: got.Example}
			}
		}
		switch {
		case len(which) > 0:
			first := kinds[which[0]].make
			return settle(l, shown, first, who(kinds, which))
		case len(l.Example()) > 1 && len(l.Example()) <= maxBefore:
			return behindExample(l)
		}
		return nil
	},
}

// maxBefore bounds the examples that are sent again and again.
const maxBefore = 16

// before is a kind of request that may come first.
type before struct {
	name string
	make func() plan.Step
	kind kind
}

// kind says what of a request that comes first was accepted.
type kind int

const (
	accepted   kind = iota // all of it
	credential             // nothing but the credential
	nothing                // not even that
)

// befores lists the kinds that this operation has.
func befores(l *Lab) []before {
	out := []before{{"an accepted request", l.Valid, accepted}}
	for _, k := range []struct {
		name     string
		kind     kind
		expected message.Expectation
	}{
		{"a request whose body was refused by the schema", credential, message.Refuse},
		{"a request whose body was refused because it is not JSON", credential, message.RefuseNotJSON},
		{"a request whose credential was refused", nothing, message.RefuseCredential},
	} {
		if l.Refused(k.expected).Message != nil {
			out = append(out, before{k.name, func() plan.Step { return l.Refused(k.expected) }, k.kind})
		}
	}
	if l.Outside().Message != nil {
		out = append(out, before{"a request with an integer that its format does not hold", l.Outside, credential})
	}
	return out
}

// who names those kinds behind which the failure comes.
func who(kinds []before, which []int) string {
	exactly := func(want ...kind) bool {
		for i, k := range kinds {
			if slices.Contains(which, i) != slices.Contains(want, k.kind) {
				return false
			}
		}
		return true
	}
	switch {
	case len(kinds) == 1 || len(which) == len(kinds):
		return "another request"
	case len(which) == 1:
		return kinds[which[0]].name
	case exactly(accepted, credential):
		return "a request with the right credential"
	case exactly(credential, nothing):
		return "a request that was refused"
	case exactly(credential):
		return "a request whose body was refused"
	}
	return kinds[which[0]].name
}

// needsPause reports whether steps do not always fail without their pauses.
func needsPause(l *Lab, steps []plan.Step) bool {
	if !slices.ContainsFunc(steps, func(s plan.Step) bool { return s.Idle > 0 }) {
		return false
	}
	var out Tally
	for range limits.CauseAgain {
		steps := l.Example()
		for i := range steps {
			steps[i].Idle = 0
		}
		l.Once(steps, &out)
	}
	return !out.Always(limits.CauseAgain)
}

// behindExample is about what comes first in the example.
func behindExample(l *Lab) *Cause {
	var same, elsewhere Tally
	steps := l.Example()
	if steps[len(steps)-1].Parallel || needsPause(l, steps) {
		return nil
	}
	for range limits.CauseAgain {
		l.Once(l.Example(), &same)
	}
	if !same.Always(limits.CauseAgain) || !alone(l).Never(limits.CauseAgain) {
		return nil
	}
	out := &Cause{Sentence: "fails only behind the request before it", Failure: same.Example}
	if len(steps) > 2 {
		out.Sentence = "fails only behind the requests before it"
	}
	for range limits.CauseAgain {
		steps := l.Example()
		for i := range steps[:len(steps)-1] {
			steps[i].Connection += 2
		}
		l.Once(steps, &elsewhere)
	}
	switch {
	case elsewhere.Never(limits.CauseAgain):
		out.Sentence += ", on the same connection"
	case elsewhere.Always(limits.CauseAgain):
		out.Sentence += ", on whatever connection"
	}
	return out
}

var placeOnConnection = Hypothesis{
	Name: "place-on-connection",
	Doc:  "Sends the request many times on one connection, and again on another, because a connection can wear out.",
	Find: func(l *Lab) *Cause {
		rows := l.Rows()
		first, second := rows.On(1), rows.On(2)
		if rows.Cut || len(first) == 0 || len(second) == 0 || first[0] != second[0] || first[0] < 2 {
			return nil
		}
		at := first[0]
		such := behindValid(l, at-1)
		if !such && at == 2 {
			return nil // it is the kind of the request before that matters
		}
		request := "request"
		if !such {
			request = "such request"
		}
		switch {
		case len(first) == 1 && len(second) == 1:
			return &Cause{Sentence: fmt.Sprintf("only the %s %s on a connection fails", ordinal(at), request)}
		case len(first) == limits.CauseRow-at+1 && len(second) == limits.CauseRow-at:
			return &Cause{Sentence: fmt.Sprintf("fails from the %s %s on a connection on", ordinal(at), request)}
		case slices.Equal(slices.DeleteFunc(slices.Clone(first), func(at int) bool { return at == limits.CauseRow }), second): // the second row has one request less
			return &Cause{Sentence: fmt.Sprintf("fails at the same places of every connection, first at the %s %s", ordinal(at), request)}
		}
		return nil
	},
}

// behindValid reports whether the request also fails behind so many valid ones on its
// connection: then the place matters, and not what was answered to the ones before.
func behindValid(l *Lab, before int) bool {
	var steps []plan.Step
	for range before {
		steps = append(steps, l.Valid())
	}
	var out Tally
	for range 2 {
		l.Once(append(slices.Clone(steps), l.Request()), &out)
	}
	return out.Always(2)
}

var someConnections = Hypothesis{
	Name: "some-connections",
	Doc:  "Sends the request a few times on each of several connections, because one of several workers can be at fault.",
	Find: func(l *Lab) *Cause {
		if l.Dropped() || len(l.Rows().Failed()) == 0 && l.Alone().Failed == 0 {
			return nil
		}
		var always []int
		never := 0
		for i := range 2 * limits.CauseInFlight {
			var t Tally
			own := l.Session()
			for range limits.CauseAgain {
				l.Last(own, []plan.Step{l.Request()}, &t)
			}
			own.Close()
			switch {
			case t.Always(limits.CauseAgain):
				always = append(always, i)
			case t.Never(limits.CauseAgain):
				never++
			default:
				return nil
			}
		}
		if len(always) < 2 || never < 2 {
			return nil
		}
		if n, regular := distance(always); regular {
			return &Cause{Sentence: fmt.Sprintf("always fails on every %s new connection and never on the others, as if one of %d workers were at fault", ordinal(n), n)}
		}
		return &Cause{Sentence: fmt.Sprintf("always fails on %d of %d new connections and never on the others, as if one of several workers were at fault", len(always), len(always)+never)}
	},
}

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
		if l.Case.Class.Expected == message.Accept {
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
