package causes

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

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
