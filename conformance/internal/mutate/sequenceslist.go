// Package sequences is the catalogue of cases of several requests: repeats,
// recoveries and interleavings, one after the other, on several connections or
// at the same time. Each entry has a file named after it, which list.go lists.
package mutate

import "plantstore/conformance/internal/plan"

// List gives every sequence.
func Sequences() []plan.Mutator {
	return []plan.Mutator{
		repeats, recoveries, stateLeaks, longRuns, concurrency,
		credentialChanges, credentialRuns, randomInterleavings,
		brokenFraming, pipelining,
		similarRequests,
		halfClosed,
		halfSent, idleConnections,
		refusalRuns, mergedObjects, spoiledRepeats, piecesAgain,
	}
}
