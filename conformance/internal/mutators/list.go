// Package mutators is the catalogue of single requests: each mutator takes the
// mild request of an operation and changes one thing, found in the schema. A
// file per family, one list.
package mutators

import (
	"plantstore/conformance/internal/plan"
)

// List gives every mutator: what is valid, what breaks the schema, what is no
// JSON, what lies at the edge, and credentials.
func List() []plan.Mutator {
	return []plan.Mutator{
		mild, given, pairs, order, whiteSpace, escaping, pieces, fieldCase,
		integers, texts, characters, lengths, textDraws, inside, further, conditions, fitting,
		missing, flawed, renamed, types, numericStrings, outside, nearMisses, shapes, wrapped, several,
		syntax, cutOff, whole, syntaxDraws,
		unusual, oddNumbers, unknown, duplicateNames, encoding, heads, flawedHeads, sizes, extremes,
		credential, bypass, afterEach,
	}
}
