package plan

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Falsy is a kind of values that programs take for no value. A server may refuse one kind and keep the
// others, so each is sent in a request of its own.
type Falsy int

const (
	noFalsy      Falsy = iota
	emptyHolders       // false, lists and objects without members; and texts with white space around them
	zeros              // 0
	emptyTexts         // empty texts
)

// Falsies lists the kinds that the body of an operation has.
func Falsies(op *openapi.Operation) []Falsy { return kindsIn(op, emptyHolders, zeros, emptyTexts) }

// Falsy is Rich with values of one kind. A server may refuse 0, empty lists and empty texts where the
// document does not state them. Texts that are required are not empty.
func (g *Gen) Falsy(op *openapi.Operation, kind Falsy) *message.Message {
	of := *g
	of.falsy = kind
	m := of.Rich(op)
	g.next = of.next
	return m
}

// in reports whether a value of a schema has something of the kind.
func (f Falsy) in(s *schema.Schema, depth int) bool {
	switch {
	case s == nil || depth > richDepth || s.ReadOnly || s.Never || s.Const != nil || len(s.Enum) > 0:
		return false
	case depth > 0 && f.takes(s):
		return true
	}
	return slices.ContainsFunc(richMembers(s), func(p *schema.Property) bool { return f.in(p.Schema, depth+1) })
}

// takes reports whether a value of a schema is of the kind.
func (f Falsy) takes(s *schema.Schema) bool {
	switch s.Type() {
	case "boolean", "array", "object":
		return f == emptyHolders
	case "number", "integer":
		return f == zeros
	case "string":
		return f != zeros && s.AnyText()
	}
	return false
}

// emptied returns the value of the kind, or nil if the schema has none.
func (g *Gen) emptied(s *schema.Schema) *jsontree.Value {
	if g.falsy == noFalsy || !g.falsy.takes(s) {
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
		if v = jsontree.NewString(""); g.falsy == emptyHolders {
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
func (f Falsy) allows(p *schema.Property) bool {
	return f != emptyTexts || !p.Required || p.Schema.Type() != "string"
}
