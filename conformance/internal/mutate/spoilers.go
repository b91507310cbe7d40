package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// spoilers make a baseline message into one that must be refused.
func spoilers(s *plan.Space) []func(m *message.Message) {
	var out []func(m *message.Message)
	sc := s.Op.Body.Shape.Schema
	for _, p := range sc.Properties {
		if p.Required && !p.Schema.ReadOnly {
			out = append(out, func(m *message.Message) { m.Tree.Remove(p.Name) }, func(m *message.Message) { m.Tree.Set(p.Name, jsontree.NewBool(true)) })
		}
	}
	out = append(out, func(m *message.Message) {
		b := m.Body()
		m.Raw = append([]byte{}, b[:max(len(b)-1, 0)]...)
	})
	if generate.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
		return nil
	}
	return refusing(s, out)
}

// refusing keeps the changes that make a baseline message into one that must be refused.
func refusing(s *plan.Space, list []func(m *message.Message)) []func(m *message.Message) {
	return slices.DeleteFunc(list, func(change func(m *message.Message)) bool {
		m := generate.Probe(s.Op).Baseline()
		change(m)
		return m.Reading().Kind < openapi.Invalid
	})
}

// spoiled is a baseline message with the flaw of a draw; the draws take turns.
func spoiled(g *generate.Gen, spoils []func(m *message.Message), draw int) *message.Message {
	m := g.Baseline()
	spoils[draw%len(spoils)](m)
	return m
}
