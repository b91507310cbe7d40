package message

import (
	"slices"

	"plantstore/conformance/internal/openapi"
)

// Keyed reports whether keys that the target gave are the only reasons to refuse a reading:
// they name things that may no longer exist.
func (m *Message) Keyed(r *openapi.Reading) bool {
	other := func(why openapi.Reason) bool { return m.Bound[why.Path] == nil }
	return r != nil && r.Kind == openapi.MayRefuse && !slices.ContainsFunc(r.Reasons, other)
}
