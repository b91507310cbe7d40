package causes

import (
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// Counted sends the request on one connection until it has failed three times, and returns
// the places where it did. Then it sends half as many as lie between two of these, goes on
// with a new connection, and returns the first place on that one where it fails; 0 if it
// does not.
func (l *Lab) Counted() (at []int, elsewhere int) {
	own := l.Session()
	defer own.Close()
	for place := 1; place <= limits.CauseLong && len(at) < 3; place++ {
		switch failed, ok := l.fails(own); {
		case !ok:
			return at, 0
		case failed:
			at = append(at, place)
		}
	}
	if len(at) < 3 {
		return at, 0
	}
	n := at[1] - at[0]
	for range n - n/2 {
		if failed, ok := l.fails(own); failed || !ok {
			return at, 0
		}
	}
	other := l.Session()
	defer other.Close()
	for place := 1; place <= n; place++ {
		switch failed, ok := l.fails(other); {
		case !ok:
			return at, 0
		case failed:
			return at, place
		}
	}
	return at, 0
}

// fails sends the request once more on a connection.
func (l *Lab) fails(own explore.Session) (failed, ok bool) {
	var t Tally
	l.Last(own, []plan.Step{l.Request()}, &t)
	return t.Failed > 0, !t.Cut
}
