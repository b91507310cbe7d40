// Package causes is the catalogue of what a failure may need besides its own request.
// Each entry has a file named after it, which list.go lists.
package causes

import (
	"strconv"
)

// List gives every hypothesis, those first that fewer requests confirm and that others
// would be confused with.
func List() []Hypothesis {
	return []Hypothesis{
		mistakenRepeat, repeatedValue, sinceThen, requestBefore, sentBefore, sameLength, passedEarlier, placeOnConnection, everyNth, fieldCache,
		behindAnother, theOneBefore, someConnections, aMoment, afterAPause, atFirst, inFlight, counter, nowAndThen,
	}
}

// ordinal writes a number as 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	end := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}
