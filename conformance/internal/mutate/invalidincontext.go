package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// flaw is a defect of one member.
type flaw struct {
	place *place
	make  func(g *generate.Gen, p *place, m *message.Message)
}

func flaws(s *plan.Space) []flaw {
	var out []flaw
	for _, p := range inJSON(s, tried(s)) {
		if p.up == nil || p.up.up != nil || !p.member {
			continue
		}
		if p.needed {
			out = append(out, flaw{p, func(_ *generate.Gen, p *place, m *message.Message) { m.Tree.Remove(p.name) }})
		}
		for _, v := range []*jsontree.Value{jsontree.NewNull(), jsontree.NewBool(true), jsontree.NewNumber("5"), jsontree.NewNumber("1.5"), jsontree.NewString("5")} {
			out = append(out, flaw{p, func(_ *generate.Gen, p *place, m *message.Message) { m.Tree.Set(p.name, v) }})
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
		out = append(out, besideWide(s)...)
		for _, c := range harmlessChanges {
			out = append(out, invalid(s, wholeBody, "flaw-beside-"+c.name, flaws(s), func(g *generate.Gen, f flaw) *message.Message {
				m := g.Baseline()
				c.add(s, g, m)
				f.make(g, f.place, m)
				return m
			})...)
		}
		return out
	},
}

// besideWide sends what is out of range, and what is no JSON, beside text that has fewer
// characters than bytes.
func besideWide(s *plan.Space) []plan.Class {
	wide := func(g *generate.Gen) *message.Message {
		m := g.Baseline()
		widen(s, g, m)
		return m
	}
	var beyond []flaw
	for _, p := range inJSON(s, tried(s)) {
		if p.up == nil || p.up.up != nil || !p.member || !p.number() {
			continue
		}
		for _, text := range []string{"9223372036854775808", "-9223372036854775809", "1e400"} {
			beyond = append(beyond, flaw{p, func(_ *generate.Gen, p *place, m *message.Message) { m.Tree.Set(p.name, jsontree.NewNumber(text)) }})
		}
	}
	out := invalid(s, wholeBody, "range-beside-wide-text", beyond, func(g *generate.Gen, f flaw) *message.Message {
		m := wide(g)
		f.make(g, f.place, m)
		return m
	})
	if generate.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
		return out
	}
	return append(out, listed(of(plan.FamilyNotJSON, wholeBody, "broken-beside-wide-text", plan.ExpectNotJSON), []string{"nil", "tru", "NaN", "{", "'x'", "01"}, func(g *generate.Gen, text string) *message.Message {
		m := wide(g)
		m.Raw = insideObject(m, `"`+stray+`":`+text)
		return m
	})...)
}
