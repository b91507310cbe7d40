package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// Without drops the ways through an operation that cannot be asked.
func (m *Map) Without(op *openapi.Operation) {
	for to, list := range m.needs {
		for i := range list {
			list[i].Ways = slices.DeleteFunc(list[i].Ways, func(w Way) bool { return w.From != nil && w.From.First() == op })
		}
		m.needs[to] = list
	}
}

// UseNamed makes each origin that the user names the only way to the value of its place.
func (m *Map) UseNamed() {
	for _, op := range m.ops {
		for _, o := range op.Origins {
			if o.Link == "" {
				m.Use(op, o)
			}
		}
	}
}

// Use makes an origin the only way to the value of its place. A place with a constant keeps
// it.
func (m *Map) Use(op *openapi.Operation, o openapi.Origin) {
	for _, further := range op.Further {
		if slices.ContainsFunc(Places(further), func(member openapi.Member) bool { return member.Path == o.Place }) {
			m.Use(further, o)
		}
	}
	if chosen(op, o.Place) {
		return
	}
	w := wayOf(Named, op, o)
	w.About = o.From.Path == op.Path && !strings.HasPrefix(o.Place, "path/")
	list := m.needs[op]
	at := slices.IndexFunc(list, func(n Need) bool { return n.Path == o.Place })
	if at < 0 {
		at = len(list)
		list = append(list, Need{Path: o.Place, Optional: o.Optional})
		op.Bind = append(op.Bind, o.Place)
	}
	list[at].Ways = sameKind(op, []Way{w})
	m.needs[op] = inPathOrder(op, list)
}
