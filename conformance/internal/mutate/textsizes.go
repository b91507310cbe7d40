package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var textSizes = plan.Mutator{
	Name: "text-sizes",
	Doc:  "Sends long strings with a character across the end of each common buffer, because code that cuts a text at a number of bytes leaves half a character.",
	Classes: func(s *plan.Space) []plan.Class {
		var cut []bufferEnd
		for _, c := range bufferEnds() {
			// A text that is cut elsewhere in the same letter is no other text to most code.
			if c.before == (len(c.letter)+c.buffer/512%2)/2 && c.buffer < largestBuffer {
				cut = append(cut, c)
			}
		}
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			list := sampleOf(cut, rank(s, p, (*place).free))
			return mayRefuse(s, p.where(), "split-character", list, func(g *generate.Gen, c bufferEnd) *message.Message {
				return p.with(g, jsontree.NewString(c.text(g.Word())))
			})
		})
	},
}
