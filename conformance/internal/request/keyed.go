package request

import (
	"slices"

	"plantstore/conformance/internal/contract"
)

// Keyed reports whether a reading may be refused only for values at places where the target
// gives one to the message: they name things that may not be there any more.
func (m *Message) Keyed(r *contract.Reading) bool {
	other := func(why contract.Reason) bool { return m.Bound[why.Path] == nil }
	return r != nil && r.Kind == contract.MayRefuse && !slices.ContainsFunc(r.Reasons, other)
}
