package reach

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
)

// Without drops the ways through an operation that cannot be asked.
func (m *Map) Without(op *contract.Operation) {
	for to, list := range m.needs {
		for i := range list {
			list[i].Ways = slices.DeleteFunc(list[i].Ways, func(w Way) bool { return w.From == op })
		}
		m.needs[to] = list
	}
}

// Use makes an exchange of another operation the only way to the value of a place.
// What is the part behind the # of a way: a pointer into the answer, a header field,
// or request and a place of the request. A place with a constant keeps it.
func (m *Map) Use(op *contract.Operation, path string, from *contract.Operation, what string, optional bool) {
	for _, further := range op.Further {
		if slices.ContainsFunc(Places(further), func(member contract.Member) bool { return member.Path == path }) {
			m.Use(further, path, from, what, optional)
		}
	}
	if chosen(op, path) {
		return
	}
	w := Way{Kind: Named, From: from}
	request, isRequest := strings.CutPrefix(what, "request")
	switch {
	case strings.HasPrefix(what, "/"):
		w.Pointer = what
	case isRequest && strings.HasPrefix(request, "/"):
		w.Request = request
	case isRequest && strings.HasPrefix(request, "."):
		w.Request = request[1:]
	default:
		w.Header = what
		if name, found := strings.CutPrefix(path, "path/"); found && strings.EqualFold(what, "Location") {
			_, w.Template = before(op.Path, name)
		}
	}
	w.About = from.Path == op.Path && !strings.HasPrefix(path, "path/")
	list := m.needs[op]
	at := slices.IndexFunc(list, func(n Need) bool { return n.Path == path })
	if at < 0 {
		at = len(list)
		list = append(list, Need{Path: path, Optional: optional})
		op.Bind = append(op.Bind, path)
	}
	list[at].Ways = []Way{w}
	m.needs[op] = inPathOrder(op, list)
}
