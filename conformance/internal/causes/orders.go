package causes

import (
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// behind sends the request behind another, which goes over a connection of that number;
// 0 is its own.
func behind(l *Lab, connection int, first func() plan.Step) Tally {
	var out Tally
	for range limits.CauseAgain {
		before := first()
		before.Connection = connection
		l.Once([]plan.Step{before, l.Request()}, &out)
	}
	return out
}

// settle finds out whether the connection matters.
func settle(l *Lab, c *Cause, first func() plan.Step, name string) *Cause {
	c.Sentence = "fails only behind " + name
	elsewhere := behind(l, 1, first)
	switch {
	case elsewhere.Never(limits.CauseAgain):
		c.Sentence += " on the same connection"
	case elsewhere.Always(limits.CauseAgain):
		c.Sentence += ", on whatever connection"
	}
	if again := alone(l); !again.Never(limits.CauseAgain) {
		return nil // it does not need what was before it
	}
	return c
}

// alone sends the request by itself, with a connection of its own.
func alone(l *Lab) Tally {
	var out Tally
	for range limits.CauseAgain {
		l.Once([]plan.Step{l.Request()}, &out)
	}
	return out
}

// inTurn sends pairs of requests, the first over a connection of that number. It reports
// whether the answer to the second always has the values of the first.
func inTurn(l *Lab, connection int, pair func() []plan.Step) (bool, *judge.Failure) {
	var shown *judge.Failure
	for range limits.CauseAgain {
		steps := pair()
		steps[0].Connection = connection
		f, exchanged := l.InTurn(steps)
		if !exchanged {
			return false, nil
		}
		shown = f
	}
	return true, shown
}
