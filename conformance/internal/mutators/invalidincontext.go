package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// flaw is a defect of one member.
type flaw struct {
	place *place
	make  func(g *generate.Gen, p *place, m *request.Message)
}

func flaws(s *plan.Space) []flaw {
	var out []flaw
	for _, p := range inJSON(s, tried(s)) {
		if p.up == nil || p.up.up != nil || !p.member {
			continue
		}
		if p.needed {
			out = append(out, flaw{p, func(_ *generate.Gen, p *place, m *request.Message) { m.Tree.Remove(p.name) }})
		}
		for _, v := range []*jsontree.Value{jsontree.NewNull(), jsontree.NewBool(true), jsontree.NewNumber("5"), jsontree.NewNumber("1.5"), jsontree.NewString("5")} {
			out = append(out, flaw{p, func(_ *generate.Gen, p *place, m *request.Message) { m.Tree.Set(p.name, v) }})
		}
	}
	return out
}

var invalidInContext = plan.Mutator{
	Name: "invalid-in-context",
	Doc:  "Combines a missing or mistyped member with something unusual but valid, because a check can look at the usual form of a body only.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		var out []plan.Class
		for _, c := range harmlessChanges {
			out = append(out, invalid(s, wholeBody, "flaw-beside-"+c.name, flaws(s), func(g *generate.Gen, f flaw) *request.Message {
				m := g.Baseline()
				c.add(s, g, m)
				f.make(g, f.place, m)
				return m
			})...)
		}
		return out
	},
}
