package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// base is the body that a near miss is made in.
type base uint8

// The bases: the baseline body, one with every optional member, and one with an
// unknown member, where a check of types sees nothing.
const (
	baselineBase base = iota
	fullBase
	strayBase
)

const stray = "zExtra"

func (b base) message(s *plan.Space, g *generate.Gen) *message.Message {
	switch m := g.Baseline(); {
	case b == fullBase:
		return full(s, g)
	case b == strayBase && m.Tree.Kind == jsontree.Object:
		m.Tree.Members = append(m.Tree.Members, jsontree.M(stray, jsontree.NewArray(jsontree.NewNumber("5"), jsontree.NewString("t5"),
			jsontree.NewBool(true), jsontree.NewNull(), jsontree.NewObject(jsontree.M("k5", jsontree.NewNumber("7"))))))
		return m
	default:
		return m
	}
}

// insideObject writes a member of any text behind the members of a body.
func insideObject(m *message.Message, member string) []byte {
	b := m.Body()
	if len(m.Tree.Members) > 0 {
		member = "," + member
	}
	return append(append([]byte{}, b[:len(b)-1]...), member+"}"...)
}
