package mutate

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// codedLengths are lengths above the usual thresholds of compression: a hundred bytes, one
// kilobyte, two.
var codedLengths = []struct {
	n      int
	coding string
}{{200, "gzip"}, {1300, "gzip, deflate, br"}, {3000, "gzip"}}

var codedAnswers = plan.Mutator{
	Name: "coded-answers",
	Doc:  "Asks for a compressed answer with a long text in the body, because servers compress only long answers, and may then announce the wrong length or no coding (RFC 9110, 8.4 and 8.6).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, p := range tried(s) {
			if !p.free() {
				continue
			}
			out = append(out, mayRefuse(s, p.where(), "coded", []int{0, 1, 2}, func(g *generate.Gen, draw int) *message.Message {
				of := codedLengths[draw]
				m := p.with(g, jsontree.NewString(padded(g, of.n, "e")))
				m.Fields = append(m.Fields, exchange.Field{Name: "Accept-Encoding", Value: of.coding})
				return m
			})...)
			break
		}
		return out
	},
}
