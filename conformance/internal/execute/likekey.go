package execute

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// likeKey gives a request a key like the one that an answer gave. It returns false if there is
// none that this way of changing it makes.
func likeKey(m *message.Message, a *plan.Alike) bool {
	names := openapi.Expressions(m.Op.Path)
	path := openapi.PathPlace(names[len(names)-1])
	given := m.Bound[path]
	if given == nil {
		return false
	}
	other := a.Of(given.Text)
	if other == "" || other == given.Text {
		return false
	}
	v := jsontree.NewString(other)
	if given.Kind == jsontree.Number && jsontree.ValidNumber(other) {
		v = jsontree.NewNumber(other)
	}
	m.Set(path, v)
	r := m.Reading()
	return r != nil && (!a.Invalid || r.Kind == openapi.Invalid)
}
