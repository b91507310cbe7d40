package causes

import (
	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/verdict"
)

// behind sends the request behind another, which goes over a connection of that number;
// 0 is its own.
func behind(l *cause.Lab, connection int, first func() plan.Step) cause.Tally {
	var out cause.Tally
	for range limits.CauseAgain {
		before := first()
		before.Connection = connection
		l.Once([]plan.Step{before, l.Request()}, &out)
	}
	return out
}

// alone sends the request by itself, with a connection of its own.
func alone(l *cause.Lab) cause.Tally {
	var out cause.Tally
	for range limits.CauseAgain {
		l.Once([]plan.Step{l.Request()}, &out)
	}
	return out
}

// inTurn sends pairs of requests, the first over a connection of that number. It reports
// whether the answer to the second always has the values of the first.
func inTurn(l *cause.Lab, connection int, pair func() []plan.Step) (bool, *verdict.Failure) {
	var shown *verdict.Failure
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
