package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// spoil makes a baseline message into one that must be refused.
type spoil struct {
	kind  string
	apply func(m *message.Message)
}

// spoils lists ways to spoil a body, those that drop a member or change its
// type first, so that the other values of the message stay in it.
func spoils(s *plan.Space) []spoil {
	if !s.Op.HasJSON() {
		return nil
	}
	var list []spoil
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Required {
			list = append(list,
				spoil{"invalid", func(m *message.Message) { m.Tree.Remove(p.Name) }},
				spoil{"invalid", func(m *message.Message) { m.Tree.Set(p.Name, jsontree.NewArray()) }})
		}
	}
	list = append(list,
		spoil{"invalid", func(m *message.Message) { m.Tree = jsontree.NewString("x") }},
		spoil{"not-json", func(m *message.Message) { m.Raw = cutBody(m, 1) }},
		spoil{"not-json", func(m *message.Message) { m.Raw = cutBody(m, 2) }},
		spoil{"not-json", func(m *message.Message) { m.Raw = append(m.Body(), "}{"...) }},
		spoil{"empty", func(m *message.Message) { m.Raw = []byte{} }},
		spoil{"large", func(m *message.Message) { m.Raw = append(cutBody(m, 1), strings.Repeat(" ", 100<<10)...) }},
		spoil{"huge", func(m *message.Message) { m.Raw = append(cutBody(m, 1), strings.Repeat(" ", 400<<10)...) }})
	kept := list[:0]
	for _, c := range list {
		if c.kind == "large" || c.kind == "huge" {
			kept = append(kept, c) // cut off, whatever the document
			continue
		}
		m := generate.Probe(s.Op).Baseline()
		c.apply(m)
		if m.Reading().Kind >= openapi.Invalid && (c.kind != "empty" || s.Op.Body.Required) {
			kept = append(kept, c)
		}
	}
	return kept
}

// cut returns the first of so many equal parts of a body.
func cutBody(m *message.Message, part int) []byte {
	b := m.Body()
	if part == 1 {
		return b[:len(b)-1]
	}
	return b[:len(b)/part]
}
