package causes

import (
	"slices"

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
		case len(l.Example()) > 1 && len(l.Example()) <= mostBefore:
			return behindExample(l)
		}
		return nil
	},
}

// mostBefore bounds the examples that are sent again and again.
const mostBefore = 16

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
		expected plan.ExpectedClass
	}{
		{"a request whose body was refused by the schema", credential, plan.ExpectInvalid},
		{"a request whose body was refused because it is not JSON", credential, plan.ExpectNotJSON},
		{"a request whose credential was refused", nothing, plan.ExpectRefusedCredential},
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
