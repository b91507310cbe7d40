package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var unknownBesideOptional = plan.Mutator{
	Name: "unknown-beside-optional",
	Doc:  "Adds an unknown member to a body with all optional members, because code can lose an optional member there.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		sc := s.Op.Body.Shape.Schema
		if sc.Type() != "object" || sc.Closed || len(sc.Optional()) == 0 {
			return nil
		}
		return mayRefuse(s, wholeBody, "unknown-member", []bool{true, false}, func(g *generate.Gen, first bool) *message.Message {
			m := g.Baseline()
			for _, p := range leftOut(s, m) {
				m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
			}
			at := len(m.Tree.Members)
			if first {
				at = 0
			}
			m.Tree.Members = slices.Insert(m.Tree.Members, at, jsontree.M(g.Word(), jsontree.NewNumber("1")))
			return m
		})
	},
}
