package mutate

import (
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var pauses = plan.Mutator{
	Name: "pauses",
	Doc:  "Stops for a moment inside a request: in a field name, between CR and LF, in an escape, in a chunk, because it means nothing where a stream pauses, and a server has to wait for the rest. With --effort deep one pause takes seconds.",
	Classes: func(s *plan.Space) []plan.Class {
		limits := exchange.DefaultLimits()
		slow := func(rest message.Rest, waits time.Duration, expected plan.ExpectedClass, change func(m *message.Message)) plan.Class {
			family := plan.FamilyValid
			if expected == plan.ExpectMayRefuse {
				family = plan.FamilyMayRefuse
			}
			c := single(of(family, transport, "rest-"+rest.String(), expected), 1, func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Rest = rest
				change(m)
				return m
			})
			c.Waits = waits
			return c
		}
		usual := func(*message.Message) {}
		out := []plan.Class{
			slow(message.RestInName, limits.Rest, plan.ExpectMustAccept, usual),
			slow(message.RestInLineEnd, limits.Rest, plan.ExpectMustAccept, usual),
			slow(message.RestInHeadEnd, limits.Rest, plan.ExpectMustAccept, usual),
		}
		if s.Long {
			out = append(out, slow(message.RestLong, 2*limits.LongRest, plan.ExpectMustAccept, usual))
		}
		if !s.Op.HasJSON() {
			return out
		}
		return append(out,
			slow(message.RestInEscape, limits.Rest, plan.ExpectMustAccept, func(m *message.Message) {
				plain := m.Tree.Clone()
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, jsontree.All)
					}
				})
				if r := m.Reading(); r != nil && r.Kind == openapi.MayRefuse {
					m.Tree = plain // escapes in a time may be refused
				}
			}),
			slow(message.RestInChunk, 3*limits.Rest, plan.ExpectMayRefuse, func(m *message.Message) { m.Framing = message.Chunked }),
			slow(message.RestTwice, 2*limits.Rest, plan.ExpectMustAccept, usual))
	},
}
