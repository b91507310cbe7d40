// Package sequences is the catalogue of cases of several requests: repeats,
// recoveries and interleavings, one after the other, on several connections or
// at the same time. A file per family, one list.
package sequences

import "plantstore/conformance/internal/plan"

// List gives every sequence.
func List() []plan.Mutator {
	return []plan.Mutator{
		repeats, recoveries, leaks, many, together,
		credentials, rows, interleavings,
	}
}
