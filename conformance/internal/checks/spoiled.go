package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// canSpoil reports whether a body can have a valid member and one of a wrong type.
func canSpoil(op *openapi.Operation) bool {
	if op.Body == nil || op.Body.Form() {
		return false
	}
	members := op.Body.Shape.Schema.Properties
	return len(members) > 1 && slices.ContainsFunc(members, func(p *openapi.Property) bool { return wrongFor(p) != nil })
}

// wrongFor returns a value of a type that no server takes for that of a member, or nil.
func wrongFor(p *openapi.Property) *jsontree.Value {
	switch {
	case p.Schema.ReadOnly || p.Schema.Never:
	case !p.Schema.Allows("object"):
		return jsontree.NewObject()
	case !p.Schema.Allows("array"):
		return jsontree.NewArray()
	}
	return nil
}

// spoiled returns a request with new values that is invalid at its last member alone.
func spoiled(g *generate.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	members := slices.Clone(op.Body.Shape.Schema.Properties)
	i := len(members) - 1
	for wrongFor(members[i]) == nil {
		i--
	}
	wrong := members[i]
	g.Enrich(m, slices.Delete(members, i, i+1))
	m.Tree.Members = slices.DeleteFunc(m.Tree.Members, func(v jsontree.Member) bool { return v.Name == wrong.Name })
	m.Tree.Set(wrong.Name, wrongFor(wrong))
	return m
}
