package mutate

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
)

func broken(b []byte) bool {
	_, err := jsontree.Parse(b)
	return err != nil
}

// ones writes every digit of a token as 1. The request has another number than the probe:
// in an array, 1,05 is no JSON because of its zero, and 1,15 is two items.
func ones(b []byte, t jsontree.Token) []byte {
	out := slices.Clone(b)
	for i := t.Start; i < t.End; i++ {
		if out[i] >= '0' && out[i] <= '9' {
			out[i] = '1'
		}
	}
	return out
}
