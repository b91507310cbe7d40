package causes

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

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
