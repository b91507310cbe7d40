// Package causes is the catalogue of what a failure may need besides its own request.
// Each entry has a file named after it, which list.go lists.
package causes

// List gives every hypothesis, those first that fewer requests confirm and that others
// would be confused with.
func List() []Hypothesis {
	return []Hypothesis{
		mistakenRepeat, repeatedValue, sinceThen, requestBefore, sentBefore, sameLength, passedEarlier, placeOnConnection, everyNth, fieldCache,
		behindAnother, theOneBefore, someConnections, aMoment, afterAPause, atFirst, inFlight, counter, nowAndThen,
	}
}
