package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// narrowed returns a request for a list that shows what was made, if the list has
// filters of the names of its members, a size or an order.
func narrowed(g *generate.Gen, list *openapi.Operation, made *message.Message) *message.Message {
	m := simplest(g, list)
	demanded(m, made)
	for _, p := range list.Parameters {
		switch v := made.At("/" + jsontree.EscapePointer(p.Name)); {
		case p.In != "query" || p.Schema == nil:
		case v != nil && (v.Kind == jsontree.String || v.Kind == jsontree.Number) && p.Schema.Type() == "string":
			m.Set(p.Place(), jsontree.NewString(v.Text))
		case newest(p.Schema) != nil:
			m.Set(p.Place(), newest(p.Schema))
		case resource.IsLimit(p.Name) && p.Schema.Maximum != "":
			m.Set(p.Place(), jsontree.NewNumber(p.Schema.Maximum))
		}
	}
	return m
}

// demanded sets the required query parameters of a list to the values of the members with their
// names, where these are valid: a search for anything else does not find the thing.
func demanded(m, made *message.Message) {
	for _, p := range m.Op.Parameters {
		v := made.At("/" + jsontree.EscapePointer(p.Name))
		if p.In != "query" || !p.Required || p.Schema == nil || v == nil {
			continue
		}
		if p.Schema.Type() == "array" && v.Kind != jsontree.Array {
			v = jsontree.NewArray(v.Clone())
		}
		if m.Op.Params.Matches(p.Schema, v) {
			m.Set(p.Place(), v.Clone())
		}
	}
}
