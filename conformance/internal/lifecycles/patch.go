package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/resource"
)

// patch is a JSON Patch of one member (RFC 6902).
type patch struct {
	base  *request.Message
	path  string
	value *jsontree.Value
	// other is another value of the member.
	other      *jsontree.Value
	operations []*jsontree.Value
}

// newPatch returns a patch without operations.
func newPatch(g *generate.Gen, r *resource.Resource, p *contract.Property) *patch {
	valueOf := func(m *request.Message) *jsontree.Value {
		g.Enrich(m, []*contract.Property{p})
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
func (p *patch) message() *request.Message {
	m := p.base
	m.Tree = jsontree.NewArray(p.operations...)
	m.Fields = append(m.Fields, exchange.Field{Name: "Content-Type", Value: contract.JSONPatch})
	return m
}
