package causes

import (
	"fmt"

	"plantstore/internal/limits"
)

var counter = Hypothesis{
	Name:     "counter",
	Doc:      "Sends the request more than a thousand times on one connection, and then a part of that on a new one, because a counter that wraps shows only every 256 requests.",
	Requests: 2 * limits.CauseLong,
	Find: func(l *Lab) *Cause {
		if l.Dropped() || len(l.Rows().Failed()) > 2 {
			return nil
		}
		at, elsewhere := l.Counted()
		n, regular := distance(at)
		switch {
		case !regular || n < 2:
			return nil
		case elsewhere == n:
			return &Cause{Sentence: fmt.Sprintf("every %s such request on a connection fails", ordinal(n))}
		case elsewhere == n/2:
			return &Cause{Sentence: fmt.Sprintf("every %s such request fails, on whatever connection", ordinal(n))}
		}
		return nil
	},
}
