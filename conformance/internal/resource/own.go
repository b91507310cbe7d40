package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// OfOwn reports whether an operation is about a thing, and each that its path names can be one
// that a run makes.
func (m *Map) OfOwn(op *openapi.Operation) bool {
	named := m.inPath(op)
	return len(named) > 0 && !slices.ContainsFunc(named, func(n Need) bool { return !slices.ContainsFunc(n.Ways, Way.Makes) })
}

// Deletable reports whether an operation makes a thing that another one deletes.
func (m *Map) Deletable(op *openapi.Operation) bool {
	return op.Method == http.MethodPost && slices.ContainsFunc(m.ops, func(other *openapi.Operation) bool {
		named := m.inPath(other)
		return other.Method == http.MethodDelete && len(named) > 0 &&
			slices.ContainsFunc(named[len(named)-1].Ways, func(w Way) bool { return w.Makes() && w.From.First() == op.First() })
	})
}

// Gives reports whether another operation may get a value from an exchange of this one.
func (m *Map) Gives(op *openapi.Operation) bool {
	if m == nil {
		return false
	}
	for other, needs := range m.needs {
		if other.First() != op.First() && slices.ContainsFunc(needs, func(n Need) bool {
			return slices.ContainsFunc(n.Ways, func(w Way) bool { return w.From != nil && !w.About && w.From.First() == op.First() })
		}) {
			return true
		}
	}
	return false
}

// inPath keeps the needs of the path of an operation.
func (m *Map) inPath(op *openapi.Operation) []Need {
	return slices.DeleteFunc(slices.Clone(m.Of(op)), func(n Need) bool { return !strings.HasPrefix(n.Path, "path/") })
}
