package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// troublesome are the kinds of text that servers fail for most often: they come first
// where there is room for few.
var troublesome = []string{"latin1", "emoji", "single-quotes", "backslash", "percent", "plus"}

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
				classes := fully(s, p.where(), group.kind, sampleOf(group.items, n), func(g *generate.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})
				if s.Most != 1 && slices.Contains(troublesome, group.kind) {
					first(1, classes)
				}
				out = append(out, classes...)
			}
			return out
		})
	},
}
