package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var registeredFields = plan.Mutator{
	Name: "registered-fields",
	Doc:  "Sends every request field that clients, proxies and frameworks know, with right, odd and malformed values, because a server may refuse or ignore a field, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, k := range fieldGroups() {
			out = append(out, listed(of(plan.FamilyMayRefuse, transport, k.kind, plan.ExpectMayRefuse), k.sent(s.Op), func(g *generate.Gen, f exchange.Field) *message.Message {
				m := g.Baseline()
				m.Fields = append(m.Fields, f)
				return m
			})...)
		}
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return out
		}
		return append(out, besideInvalid(s)...)
	},
}

// besideInvalid sends one value of each field with a body that must be refused.
func besideInvalid(s *plan.Space) []plan.Class {
	spoils := spoilers(s)
	if len(spoils) == 0 {
		return nil
	}
	var out []plan.Class
	for _, k := range fieldGroups() {
		if k.asks {
			continue
		}
		fields := k.sent(s.Op)
		if len(fields) == 0 {
			continue
		}
		out = append(out, single(of(plan.FamilyInvalid, transport, k.kind, plan.ExpectNothing), (len(fields)+2)/3, func(g *generate.Gen, draw int) *message.Message {
			m := spoiled(g, spoils, draw)
			m.Fields = append(m.Fields, fields[(3*draw+1)%len(fields)])
			return m
		}))
	}
	return out
}
