package mutators

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// spoilers make a baseline message into one that must be refused.
func spoilers(s *plan.Space) []func(m *request.Message) {
	var out []func(m *request.Message)
	sc := s.Op.Body.Shape.Schema
	for _, p := range sc.Properties {
		if p.Required && !p.Schema.ReadOnly {
			out = append(out, func(m *request.Message) { m.Tree.Remove(p.Name) }, func(m *request.Message) { m.Tree.Set(p.Name, jsontree.NewBool(true)) })
		}
	}
	out = append(out, func(m *request.Message) {
		b := m.Body()
		m.Raw = append([]byte{}, b[:max(len(b)-1, 0)]...)
	})
	kept := out[:0]
	for _, spoil := range out {
		if m := generate.Probe(s.Op).Baseline(); m.Tree.Kind == jsontree.Object {
			if spoil(m); m.Reading().Kind >= contract.Invalid {
				kept = append(kept, spoil)
			}
		}
	}
	return kept
}
