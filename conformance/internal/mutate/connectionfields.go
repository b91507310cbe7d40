package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var connectionFields = plan.Mutator{
	Name: "connection-fields",
	Doc:  "Sends an expectation that nobody knows and offers to change the protocol, because a server may refuse or ignore both (RFC 9110, 10.1.1 and 7.8), but must not fail.",
	Classes: func(*plan.Space) []plan.Class {
		with := func(kind string, list ...[]exchange.Field) []plan.Class {
			return listed(of(plan.FamilyMayRefuse, transport, kind, plan.ExpectMayRefuse), list, func(g *generate.Gen, fields []exchange.Field) *message.Message {
				m := g.Baseline()
				m.Fields = append(m.Fields, fields...)
				return m
			})
		}
		offer := func(protocol string) []exchange.Field {
			return []exchange.Field{{Name: "Connection", Value: "Upgrade"}, {Name: "Upgrade", Value: protocol}}
		}
		// Without HTTP2-Settings no server changes to h2c (RFC 7540, 3.2.1).
		return append(with("expect-other", fieldOf("Expect", "200-ok"), fieldOf("Expect", "x=1")),
			with("upgrade", offer("h2c"), offer("example/1"))...)
	},
}
