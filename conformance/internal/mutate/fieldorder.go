package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var fieldOrder = plan.Mutator{
	Name: "field-order",
	Doc:  "Sends valid requests, invalid bodies and wrong credentials with the header fields in other orders, because their order has no meaning (RFC 9110, 5.3), and code that reads them one by one can check less in another one.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, order := range message.Orders(s.Op) {
			out = append(out, single(of(plan.FamilyValid, transport, order.String(), plan.ExpectMustAccept), 1, func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Order = order
				return m
			}))
			out = append(out, spoiltInOrder(s, order)...)
			out = append(out, refusedInOrder(s, order)...)
		}
		return out
	},
}

// spoiltInOrder makes requests with invalid bodies and this order of header fields.
func spoiltInOrder(s *plan.Space, order message.Order) []plan.Class {
	if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
		return nil
	}
	spoils := spoilers(s)
	if len(spoils) == 0 {
		return nil
	}
	return []plan.Class{single(of(plan.FamilyInvalid, transport, order.String(), plan.ExpectNothing), len(spoils), func(g *generate.Gen, draw int) *message.Message {
		m := g.Baseline()
		spoils[draw](m)
		m.Order = order
		return m
	})}
}

// refusedInOrder makes wrong credentials in a head in that order.
func refusedInOrder(s *plan.Space, order message.Order) []plan.Class {
	if !s.Auth.Required() {
		return nil
	}
	var out []plan.Class
	for _, a := range s.Auth.Attempts() {
		moves := order != message.CredentialFirst && order != message.CredentialLast || len(a.Presented)+len(a.Beside) > 0
		if plainly(a.Name) && moves {
			out = append(out, presenting(s, a, order.String(), plan.ExpectRefusedCredential, 1, func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Order = order
				return m
			}))
		}
	}
	return out
}
