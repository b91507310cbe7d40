package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

var pauses = plan.Mutator{
	Name: "pauses",
	Doc:  "Stops for a moment inside a request: in a field name, between CR and LF, in an escape, in a chunk, because it means nothing where a stream pauses, and a server has to wait for the rest. With --effort deep one pause takes seconds.",
	Classes: func(s *plan.Space) []plan.Class {
		slow := func(rest request.Rest, expected plan.ExpectedClass, change func(m *request.Message)) plan.Class {
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
			c.Waits = true
			return c
		}
		usual := func(*request.Message) {}
		out := []plan.Class{
			slow(request.RestInName, plan.ExpectMustAccept, usual),
			slow(request.RestInLineEnd, plan.ExpectMustAccept, usual),
			slow(request.RestInHeadEnd, plan.ExpectMustAccept, usual),
		}
		if s.Long {
			out = append(out, slow(request.RestLong, plan.ExpectMustAccept, usual))
		}
		if !s.Op.HasJSON() {
			return out
		}
		return append(out,
			slow(request.RestInEscape, plan.ExpectMustAccept, func(m *request.Message) {
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, jsontree.All)
					}
				})
			}),
			slow(request.RestInChunk, plan.ExpectMayRefuse, func(m *request.Message) { m.Framing = request.Chunked }),
			slow(request.RestTwice, plan.ExpectMustAccept, usual))
	},
}
