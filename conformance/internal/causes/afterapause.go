package causes

import (
	"fmt"
	"time"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var afterAPause = Hypothesis{
	Name: "after-a-pause",
	Doc:  "Sends the request behind another one after a pause, on the same connection and on a new one, because what was not used for a while can be closed or forgotten.",
	Find: func(l *Lab) *Cause {
		if !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		same := paused(l, limits.CauseIdle, 0, 1)
		if same.Failed == 0 || !paused(l, 0, 0, limits.CauseAgain).Never(limits.CauseAgain) {
			return nil
		}
		elsewhere := paused(l, limits.CauseIdle, 1, 1)
		again := paused(l, limits.CauseIdle, elsewhere.Failed, 1) // where it is said to fail
		if again.Failed == 0 {
			return nil
		}
		out := &Cause{Failure: again.Example, Sentence: fmt.Sprintf("fails after a pause of %v", limits.CauseIdle)}
		if elsewhere.Failed > 0 {
			out.Sentence += " in which the target got no request, on whatever connection, and not without"
		} else {
			out.Sentence += " on the same connection, and not without"
		}
		return out
	},
}

// paused sends the request several times behind a valid one and a pause. Connection is
// that of the valid one; 0 is its own.
func paused(l *Lab, idle time.Duration, connection, times int) Tally {
	var out Tally
	for range times {
		first, then := l.Valid(), l.Request()
		first.Connection, then.Idle = connection, idle
		l.Once([]plan.Step{first, then}, &out)
	}
	return out
}
