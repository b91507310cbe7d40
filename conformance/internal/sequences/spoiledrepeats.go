package sequences

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// mostSpoiled is how many members one case spoils.
const mostSpoiled = 12

var spoiledRepeats = plan.Mutator{
	Name: "spoiled-repeats",
	Doc:  "Sends a request that is accepted, and then again with a member that is missing or of another type, because a server may remember by a key what it has checked.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		list := memberSpoils(s)
		if len(list) == 0 {
			return nil
		}
		list = list[:min(len(list), room(s, mostSpoiled))]
		return []plan.Class{several("spoiled-request", plan.ExpectNothing, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
			m := g.Request(s.Op, true)
			steps := []plan.Step{{Message: m}}
			for _, c := range list {
				again := m.Clone()
				c.apply(again)
				steps = append(steps, plan.Step{Message: again})
			}
			return steps
		})}
	},
}

// memberSpoils lists the ways to spoil one member each, of those that leave the key of most
// caches as it is first: an optional member of another type.
func memberSpoils(s *plan.Space) []spoil {
	var optional, required, missing []spoil
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Schema.ReadOnly || p.Schema.Never {
			continue
		}
		wrong := spoil{p.Name, func(m *request.Message) { m.Tree.Set(p.Name, jsontree.NewArray()) }}
		if p.Schema.Allows("array") {
			wrong.apply = func(m *request.Message) { m.Tree.Set(p.Name, jsontree.NewBool(true)) }
		}
		if !p.Required {
			optional = append(optional, wrong)
			continue
		}
		required = append(required, wrong)
		missing = append(missing, spoil{p.Name, func(m *request.Message) { m.Tree.Remove(p.Name) }})
	}
	var out []spoil
	for _, c := range append(append(optional, required...), missing...) {
		m := generate.Probe(s.Op).Request(s.Op, true)
		if c.apply(m); m.Reading().Kind == contract.Invalid {
			out = append(out, c)
		}
	}
	return out
}
