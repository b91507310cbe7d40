package generate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// Request returns a valid request of another operation, whose fresh values no other
// request of this case has. If it is full, it has all optional members of the body that
// name nothing else, as far as they may stand together.
func (g *Gen) Request(op *openapi.Operation, full bool) *message.Message {
	other := &Gen{Op: op, Rand: g.Rand, id: g.id, next: g.next}
	m := other.Baseline()
	if full {
		m = other.fill(m, slices.DeleteFunc(Optional(op), func(p openapi.Member) bool {
			return slices.Contains(g.id.Refused.Of(op), p.Path)
		}))
	}
	g.next = other.next
	return m
}

// fill returns a message with the listed members, but for those that a server may refuse
// beside the others. It looks for these in halves: most often there are none.
func (g *Gen) fill(m *message.Message, list []openapi.Member) *message.Message {
	more := m.Clone()
	if !g.Give(more, list) {
		return m
	}
	if r := more.Reading(); r != nil && r.Kind == openapi.MustAccept {
		return more
	}
	if len(list) == 1 {
		return m
	}
	half := len(list) / 2
	return g.fill(g.fill(m, list[:half]), list[half:])
}

// Give adds the listed members that a message does not have, and reports whether there
// were any. The message may be that of another operation.
func (g *Gen) Give(m *message.Message, list []openapi.Member) bool {
	of := *g
	of.Op = m.Op
	given, before := false, m.Clone()
	for _, member := range list {
		if m.At(member.Path) == nil {
			given = m.Set(member.Path, of.BaselineAt(member.Path, member.Schema)) || given
		}
	}
	// What was there before stays: it may be what the case is about.
	of.orderIf(m, func(path string) bool { return before.At(path) == nil })
	g.next = of.next
	m.BindNew(before)
	return given
}

// Optional lists the members of a body that a request may leave out and that name no
// other thing.
func Optional(op *openapi.Operation) []openapi.Member {
	return slices.DeleteFunc(op.Optional(), func(m openapi.Member) bool {
		return !strings.HasPrefix(m.Path, "/") || m.Schema.Never || slices.Contains(op.Bind, m.Path)
	})
}

// apart takes another value of an enum where the first would spell another path of the document.
func apart(m *message.Message) {
	if len(m.Op.Nearer) == 0 {
		return
	}
	for _, p := range m.Op.Parameters {
		for i := 0; p.In == "path" && i < len(p.Schema.Enum) && m.Path() == ""; i++ {
			m.Set(openapi.PathPlace(p.Name), p.Schema.Enum[i].Clone())
		}
	}
}

// fillForm gives a form without required members an optional one: a form of no bytes may be taken for
// no body, and one in parts has at least one (RFC 2046, 5.1.1).
func (g *Gen) fillForm(m *message.Message) {
	if g.Op.Body == nil || !g.Op.Body.Form() || m.Tree == nil || m.Tree.Kind != jsontree.Object || len(m.Tree.Members) > 0 {
		return
	}
	for _, member := range Optional(g.Op) {
		m.Set(member.Path, g.BaselineAt(member.Path, member.Schema))
		if m.Body() != nil && m.At(member.Path) != nil {
			return
		}
		m.Remove(member.Path)
	}
}
