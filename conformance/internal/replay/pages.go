package replay

import (
	"plantstore/conformance/internal/parameter"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// followed gives a message of the plan the page that a recorded request is about: an
// answer before it named that.
func followed(step plan.Step, m *request.Message, was headRead) {
	l := m.Op.Listing
	if step.Follow == nil || l == nil || l.Follows() == nil {
		return
	}
	by := l.Follows().Place()
	m.Remove(by)
	got := parameter.Read(m.Op.Path, m.Op.Parameters, parameter.Encoded{Path: was.path, Query: was.query})
	if v := got.Values.At("/" + by); v != nil {
		m.Set(by, v)
		if l.Follows() == l.Cursor {
			m.Given(by, v)
		}
	}
}
