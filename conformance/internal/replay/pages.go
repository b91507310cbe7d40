package replay

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/serialize"
)

// followed gives a message of the plan the page that a recorded request is about: an
// answer before it named that.
func followed(step plan.Step, m *message.Message, was headRead) {
	l := m.Op.Listing
	if step.Follow == nil || l == nil || l.Follows() == nil {
		return
	}
	by := l.Follows().Place()
	m.Remove(by)
	got := serialize.ReadParameters(m.Op.Path, m.Op.Parameters, serialize.Encoded{Path: was.path, Query: was.query})
	if v := got.Values.At("/" + by); v != nil {
		m.Set(by, v)
		if l.Follows() == l.Cursor {
			m.Given(by, v)
		}
	}
}
