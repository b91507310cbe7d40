package mutators

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

var stringValues = plan.Mutator{
	Name: "string-values",
	Doc:  "Sends strings in every script and strings that code mistakes for something else, because servers escape, convert or refuse some of them.",
	Classes: func(s *plan.Space) []plan.Class {
		groups := slices.Concat(scripts, signs, injections, lookAlikes, words, letterCases)
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			var out []plan.Class
			n := max(0, rank(s, p, (*place).free)-1) // in full at two places: one may be optional
			for _, group := range groups {
				out = append(out, fully(s, p.where(), group.kind, sampleOf(group.items, n), func(g *generate.Gen, text string) *request.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})...)
			}
			return out
		})
	},
}
