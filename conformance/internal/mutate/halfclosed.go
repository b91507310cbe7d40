package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var halfClosed = plan.Mutator{
	Name: "half-closed",
	Doc:  "Ends the client's half of the connection behind a request, and sends a valid one on another connection, because a server may still answer the first or give up, but must not fail or answer wrongly.",
	Classes: func(s *plan.Space) []plan.Class {
		ended := func(kind string, cases int, change func(m *message.Message, draw int)) plan.Class {
			c := several(kind, plan.ExpectMustAccept, 1, cases, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				change(m, draw)
				m.Ends = true
				return []plan.Step{{Message: m}, {Message: g.Baseline(), Fresh: true}}
			})
			c.Phase = plan.Single
			return c
		}
		out := []plan.Class{ended("half-closed", 2, func(*message.Message, int) {})}
		if list := spoils(s); len(list) > 0 {
			out = append(out, ended("half-closed-refused", min(2, len(list)), func(m *message.Message, draw int) { list[draw].apply(m) }))
		}
		return out
	},
}
