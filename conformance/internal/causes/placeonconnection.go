package causes

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
)

var placeOnConnection = cause.Hypothesis{
	Name: "place-on-connection",
	Doc:  "Sends the request many times on one connection, and again on another, because a connection can wear out.",
	Find: func(l *cause.Lab) *cause.Cause {
		rows := l.Rows()
		first, second := rows.On(1), rows.On(2)
		if rows.Cut || len(first) == 0 || len(second) == 0 || first[0] != second[0] || first[0] < 2 {
			return nil
		}
		at := first[0]
		switch {
		case len(first) == 1 && len(second) == 1:
			return &cause.Cause{Sentence: fmt.Sprintf("only the %s request on a connection fails", ordinal(at))}
		case len(first) == limits.CauseRow-at+1 && len(second) == limits.CauseRow-at:
			return &cause.Cause{Sentence: fmt.Sprintf("fails from the %s request on a connection on", ordinal(at))}
		case slices.Equal(first[:len(second)], second):
			return &cause.Cause{Sentence: fmt.Sprintf("fails at the same places of every connection, first at the %s request", ordinal(at))}
		}
		return nil
	},
}
