package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
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
		list = list[:min(len(list), roomFor(s, mostSpoiled))]
		return []plan.Class{several("spoiled-request", plan.ExpectNothing, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
			m := g.Request(s.Op, true)
			steps := []plan.Step{{Message: m}}
			for _, spoil := range list {
				again := m.Clone()
				spoil(again)
				steps = append(steps, plan.Step{Message: again})
			}
			return steps
		})}
	},
}

// memberSpoils lists ways to spoil one member each. Optional members come first: a cache seldom
// has them in its key.
func memberSpoils(s *plan.Space) []func(*message.Message) {
	var optional, required, missing []func(*message.Message)
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Schema.ReadOnly || p.Schema.Never {
			continue
		}
		wrong := jsontree.NewArray()
		if p.Schema.Allows("array") {
			wrong = jsontree.NewBool(true)
		}
		mistype := func(m *message.Message) { m.Tree.Set(p.Name, wrong.Clone()) }
		if !p.Required {
			optional = append(optional, mistype)
			continue
		}
		required = append(required, mistype)
		missing = append(missing, func(m *message.Message) { m.Tree.Remove(p.Name) })
	}
	return slices.DeleteFunc(slices.Concat(optional, required, missing), func(spoil func(*message.Message)) bool {
		m := generate.Probe(s.Op).Request(s.Op, true)
		spoil(m)
		return m.Reading().Kind != openapi.Invalid
	})
}
