package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// lowest returns a request with all members whose numbers are far from their upper bounds: a
// server that adds to them has room to do so.
func lowest(g *generate.Gen, op *openapi.Operation) *message.Message {
	m := g.Request(op, true)
	if m.Tree == nil || m.Tree.Kind != jsontree.Object {
		return m
	}
	for _, p := range op.Body.Shape.Schema.Properties {
		old := m.Tree.Get(p.Name)
		if old == nil || old.Kind != jsontree.Number || p.Schema.Maximum == "" && p.Schema.Below == "" {
			continue
		}
		for _, text := range []string{"7", "5", "10", "3", "100"} {
			more := m.Clone()
			low := jsontree.Compare(text, old.Text) < 0 && more.Set("/"+jsontree.EscapePointer(p.Name), jsontree.NewNumber(text))
			if low && mustAccept(more.Reading()) {
				m = more
				break
			}
		}
	}
	return m
}
