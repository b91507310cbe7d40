package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// pieced are the texts of bodies that come in pieces; "" is the baseline body.
var pieced = []string{"", "", "植物§", "a  b§"}

var tcpSegments = plan.Mutator{
	Name: "tcp-segments",
	Doc:  "Delivers a baseline request in pieces, cut inside the head, inside a character or between blanks, because it has no meaning where a stream is cut (RFC 9112, 6.3; RFC 9293, 3.8).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		body := listed(of(plan.FamilyValid, wholeBody, "in-pieces", plan.ExpectNothing), pieced, func(g *generate.Gen, text string) *message.Message {
			m := g.Baseline()
			if p := freeText(s); p != nil && text != "" {
				wide := p.with(g, jsontree.NewString(fill(g, text)))
				if wide.Reading().Kind == openapi.MustAccept {
					m = wide
				}
			}
			m.Framing = message.Pieces
			return m
		})
		cut := func(kind string, framing message.Framing) []plan.Class {
			return listed(of(plan.FamilyValid, wholeBody, kind, plan.ExpectNothing), make([]int, 2), func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Framing = framing
				return m
			})
		}
		many := cut("many-pieces", message.ManyPieces)
		for i := range many {
			many[i].Waits = message.MostPieces * exchange.DefaultLimits().Pause
		}
		return append(append(body, cut("head-in-pieces", message.HeadPieces)...), many...)
	},
}
