package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var bodyBoundaries = plan.Mutator{
	Name: "body-boundaries",
	Doc:  "Makes bodies just as long as common buffers, and puts characters, escapes and tokens across the ends of buffers and chunks, because code that decodes each block by itself loses what is cut.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var exact, tokens []spaced
		for i, n := range aroundBuffers(largestBuffer) {
			for k := range 2 {
				exact = append(exact, spaced{size: n, where: i + k})
			}
		}
		for i, n := range buffers[:len(buffers)-1] {
			for k := range 4 {
				tokens = append(tokens, spaced{split: bufferEnd{buffer: n}, token: k, where: i + k})
			}
		}
		out := append(sorted(s, wholeBody, "exact-size", exact, exactly), sorted(s, wholeBody, "split-token", tokens, splitToken)...)
		if at := freeText(s); at != nil {
			out = append(out, splitTexts(s, at)...)
		}
		return out
	},
}

// splitTexts cuts the characters of a text, and their escapes.
func splitTexts(s *plan.Space, at *place) []plan.Class {
	var cut, large, escaped []spaced
	for i, c := range bufferEnds() {
		if sp := (spaced{split: c, where: i}); c.buffer < largestBuffer {
			cut = append(cut, sp)
		} else {
			large = append(large, sp)
		}
	}
	for i, n := range buffers[:len(buffers)-1] {
		for _, c := range []bufferEnd{{n, "植", 1}, {n, "植", 2 + i%4}, {n, "🌱", 6}, {n, "🌱", 7 + i%4}} {
			escaped = append(escaped, spaced{split: c, where: i})
		}
	}
	character := func(g *generate.Gen, sp spaced) *message.Message {
		return splitText(g, at, sp, jsontree.NewString(sp.split.letter+g.Word()))
	}
	escape := func(g *generate.Gen, sp spaced) *message.Message {
		v := jsontree.NewString(sp.split.letter + g.Word())
		v.Raw = jsontree.Quote(v.Text, jsontree.ASCII)
		return splitText(g, at, sp, v)
	}
	chunks := func(g *generate.Gen, sp spaced) *message.Message {
		m := splitText(g, at, sp, jsontree.NewString(sp.split.letter+g.Word()+"é植🌱"))
		if m != nil {
			m.Framing = message.SplitChunks
		}
		return m
	}
	may := func(kind string, list []spaced, build func(*generate.Gen, spaced) *message.Message) []plan.Class {
		by := judged(s, transport, list, build)
		return listed(of(plan.FamilyMayRefuse, transport, kind, plan.ExpectMayRefuse), slices.Concat(by[openapi.MustAccept], by[openapi.MayRefuse]), build)
	}
	blanks := func(g *generate.Gen, _ spaced) *message.Message {
		m := at.with(g, jsontree.NewString(g.Word()+" a  b "+g.Word()))
		m.Framing = message.SplitChunks
		return m
	}
	small := []spaced{{split: bufferEnd{0, "é", 0}}, {split: bufferEnd{0, "植", 0}}, {split: bufferEnd{0, "🌱", 0}}}
	return slices.Concat(
		sorted(s, wholeBody, "split-character", cut, character),
		sorted(s, wholeBody, "split-escape", escaped, escape),
		may("large-split-character", large, character),
		may("chunks-of-a-byte", []spaced{{}}, blanks),
		may("chunks-split-character", small, chunks),
		may("long-chunks-split-character", spread(cut, 6), chunks))
}
