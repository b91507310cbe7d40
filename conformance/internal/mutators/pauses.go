package mutators

import (
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

var pauses = plan.Mutator{
	Name: "pauses",
	Doc:  "Stops for a moment inside a request: in a field name, between CR and LF, in an escape, in a chunk, because it means nothing where a stream pauses, and a server has to wait for the rest. With --effort deep one pause takes seconds.",
	Classes: func(s *plan.Space) []plan.Class {
		limits := exchange.DefaultLimits()
		slow := func(rest request.Rest, waits time.Duration, expected plan.ExpectedClass, change func(m *request.Message)) plan.Class {
			family := plan.FamilyValid
			if expected == plan.ExpectMayRefuse {
				family = plan.FamilyMayRefuse
			}
			c := single(of(family, transport, "rest-"+rest.String(), expected), 1, func(g *generate.Gen, _ int) *request.Message {
				m := g.Baseline()
				m.Rest = rest
				change(m)
				return m
			})
			c.Waits = waits
			return c
		}
		usual := func(*request.Message) {}
		out := []plan.Class{
			slow(request.RestInName, limits.Rest, plan.ExpectMustAccept, usual),
			slow(request.RestInLineEnd, limits.Rest, plan.ExpectMustAccept, usual),
			slow(request.RestInHeadEnd, limits.Rest, plan.ExpectMustAccept, usual),
		}
		if s.Long {
			out = append(out, slow(request.RestLong, 2*limits.LongRest, plan.ExpectMustAccept, usual))
		}
		if !s.Op.HasJSON() {
			return out
		}
		return append(out,
			slow(request.RestInEscape, limits.Rest, plan.ExpectMustAccept, func(m *request.Message) {
				plain := m.Tree.Clone()
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, jsontree.All)
					}
				})
				if r := m.Reading(); r != nil && r.Kind == contract.MayRefuse {
					m.Tree = plain // escapes in a time may be refused
				}
			}),
			slow(request.RestInChunk, 3*limits.Rest, plan.ExpectMayRefuse, func(m *request.Message) { m.Framing = request.Chunked }),
			slow(request.RestTwice, 2*limits.Rest, plan.ExpectMustAccept, usual))
	},
}
