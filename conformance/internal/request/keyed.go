package request

import (
	"slices"

	"plantstore/conformance/internal/contract"
)

// Keyed reports whether keys that the target gave are the only reasons to refuse a reading:
// they name things that may no longer exist.
func (m *Message) Keyed(r *contract.Reading) bool {
	other := func(why contract.Reason) bool { return m.Bound[why.Path] == nil }
	return r != nil && r.Kind == contract.MayRefuse && !slices.ContainsFunc(r.Reasons, other)
}
