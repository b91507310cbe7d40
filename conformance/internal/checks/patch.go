package checks

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// patch is a JSON Patch of one member (RFC 6902).
type patch struct {
	base  *message.Message
	path  string
	value *jsontree.Value
	// other is another value of the member.
	other      *jsontree.Value
	operations []*jsontree.Value
}

// newPatch returns a patch without operations.
func newPatch(g *generate.Gen, r *resource.Resource, p *openapi.Property) *patch {
	valueOf := func(m *message.Message) *jsontree.Value {
		g.Enrich(m, []*openapi.Property{p})
		return m.Tree.Get(p.Name)
	}
	return &patch{base: simplest(g, r.Patch), path: "/" + jsontree.EscapePointer(p.Name), value: valueOf(simplest(g, r.Make)), other: valueOf(simplest(g, r.Make))}
}

// add appends an operation. Without a value it has none.
func (p *patch) add(op string, value *jsontree.Value) {
	o := jsontree.NewObject(jsontree.M("op", jsontree.NewString(op)), jsontree.M("path", jsontree.NewString(p.path)))
	if value != nil {
		o.Set("value", value.Clone())
	}
	p.operations = append(p.operations, o)
}

// message returns the request.
func (p *patch) message() *message.Message {
	m := p.base
	m.Tree = jsontree.NewArray(p.operations...)
	m.Fields = append(m.Fields, exchange.Field{Name: "Content-Type", Value: openapi.JSONPatch})
	return m
}
