package plan

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// bare says which values are those that programs take for no value.
type bare int

const (
	nothing  bare = iota
	holders       // false, lists and objects without members; and texts with more than their letters
	zeros         // 0
	unspoken      // empty texts
)

// Bare is one of the kinds of requests with such values. A server may refuse one of them and keep
// the others, so each is a request of its own.
type Bare struct{ which bare }

// Bares lists the kinds that an operation has.
func Bares(op *openapi.Operation) []Bare {
	var out []Bare
	for _, which := range []bare{holders, zeros, unspoken} {
		if op.Body != nil && which.in(op.Body.Shape.Schema, 0) {
			out = append(out, Bare{which})
		}
	}
	return out
}

// Barest is Rich with values of one kind. A server may refuse 0, empty lists and empty texts where the
// document does not state them. Texts that are required are not empty.
func (g *Gen) Barest(op *openapi.Operation, b Bare) *message.Message {
	of := *g
	of.bare = b.which
	m := of.Rich(op)
	g.next = of.next
	return m
}

// in reports whether a value of a schema has something of the kind.
func (b bare) in(s *schema.Schema, depth int) bool {
	switch {
	case s == nil || depth > richDepth || s.ReadOnly || s.Never || s.Const != nil || len(s.Enum) > 0:
		return false
	case depth > 0 && b.takes(s):
		return true
	}
	return slices.ContainsFunc(richMembers(s), func(p *schema.Property) bool { return b.in(p.Schema, depth+1) })
}

// takes reports whether a value of a schema is of the kind.
func (b bare) takes(s *schema.Schema) bool {
	switch s.Type() {
	case "boolean", "array", "object":
		return b == holders
	case "number", "integer":
		return b == zeros
	case "string":
		return b != zeros && s.AnyText()
	}
	return false
}

// emptied returns the value of the kind, or nil if the schema has none.
func (g *Gen) emptied(s *schema.Schema) *jsontree.Value {
	if g.bare == nothing || !g.bare.takes(s) {
		return nil
	}
	v := jsontree.NewBool(false)
	switch s.Type() {
	case "array":
		v = jsontree.NewArray()
	case "object":
		v = jsontree.NewObject()
	case "number", "integer":
		v = jsontree.NewInt(0)
	case "string":
		if v = jsontree.NewString(""); g.bare == holders {
			v = jsontree.NewString(" " + g.BaselineText(s) + " Cafe\u0301 Z ")
		}
	}
	if !g.judge().Matches(s, v) {
		return nil
	}
	return v
}

// allows reports whether a member may have a value of the kind: a text that is required is not
// empty.
func (b bare) allows(p *schema.Property) bool {
	return b != unspoken || !p.Required || p.Schema.Type() != "string"
}
