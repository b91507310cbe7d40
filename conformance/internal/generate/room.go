package generate

import (
	"math"
	"math/rand"
	"regexp/syntax"
	"slices"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
)

const (
	// manyBits is the room, in bits, from which texts of a pattern are all different in
	// practice: a run takes some thousands.
	manyBits = 30
	// someBits is the room from which each of them gets another text.
	someBits = 16
	// roomy is the length that a fresh text reaches, where its pattern allows it: the
	// shortest texts are few, and a server may take each only once.
	roomy = 10
	// countStep is odd, so that counts times it, modulo a power of two, are all different.
	countStep = 2654435761
)

// patterned returns a text for a schema with a pattern. If the pattern has room, the text
// is fresh like a word. If every word matches the pattern, the text is one. If it
// has some room, the texts are counted. If it has not, the text is the same when its case
// is sent again, but not for a neighbour.
func (g *Gen) patterned(s *openapi.Schema) (string, bool) {
	p := g.pattern(s.Pattern)
	if p == nil || p.Skeleton() == nil {
		return g.matching(s.Pattern, s.MinLength, s.MaxLength)
	}
	n := bits(p.Skeleton(), 0)
	if n < manyBits && takesWords(p, s) {
		if t, ok := g.asWord(s, p); ok {
			return t, true
		}
	}
	if g.id.Neighbour == 0 && n < manyBits {
		if n >= someBits {
			// The factor and the offset put the counts in another order, and repeat none.
			count := (uint64(g.number())*countStep + Mix("count", g.id.space(), g.id.Seed^uint64(g.id.Generation)<<52)) % (1 << int(n))
			g.count, g.room = &count, roomy
			defer func() { g.count, g.room = nil, 0 }()
		}
		return g.matching(s.Pattern, s.MinLength, s.MaxLength)
	}
	drawn := g.Rand
	seed := Mix("pattern", g.id.space(), g.id.Seed^uint64(g.number())<<20^uint64(g.id.Generation)<<52)
	g.Rand, g.room = rand.New(&splitmix{state: seed ^ uint64(g.id.Neighbour)<<8 ^ uint64(g.id.RunNumber)}), roomy
	t, ok := g.matching(s.Pattern, s.MinLength, s.MaxLength)
	g.Rand, g.room = drawn, 0
	return t, ok
}

// Few reports whether a schema allows so few texts that a run may have used them all.
func Few(shape *openapi.Shape, s *openapi.Schema) bool {
	if s.MaxLength != nil && *s.MaxLength <= 4 || s.Drawn().Few() {
		return true
	}
	if s.Pattern == "" {
		return false
	}
	p := shape.Pattern(s.Pattern)
	return p == nil || p.Skeleton() == nil || bits(p.Skeleton(), 0) < manyBits && !takesWords(p, s)
}

// sampleWord is a text like a fresh word of the usual length.
const sampleWord = "g4hs8kd2vt"

// takesWords reports whether a pattern matches fresh words, because it asks for no more than
// one character that is no blank, say.
func takesWords(p *pattern.Pattern, s *openapi.Schema) bool {
	return (s.MaxLength == nil || *s.MaxLength >= len(sampleWord)) && p.Match(sampleWord) == pattern.Yes
}

// bits returns the room of an expression, as far as texts of it are drawn: the binary
// logarithm of their number.
func bits(re *syntax.Regexp, depth int) float64 {
	if depth > expandDepth {
		return 0
	}
	most := func() (n float64) {
		for _, sub := range re.Sub {
			n = max(n, bits(sub, depth+1))
		}
		return n
	}
	switch re.Op {
	case syntax.OpCharClass:
		return math.Log2(float64(max(1, usual(re.Rune))))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return math.Log2(26)
	case syntax.OpConcat, syntax.OpCapture:
		n := 0.0
		for _, sub := range re.Sub {
			n += bits(sub, depth+1)
		}
		return n
	case syntax.OpAlternate, syntax.OpQuest:
		return most()
	case syntax.OpStar, syntax.OpPlus:
		return most() * roomy
	case syntax.OpRepeat:
		n := max(re.Min, roomy)
		if re.Max >= 0 {
			n = max(re.Min, min(re.Max, roomy))
		}
		return most() * float64(n)
	}
	return 0
}

// varies reports whether an expression has more than one text, as far as texts of it are drawn:
// whether bits is above 0, without the cost of the count.
func varies(re *syntax.Regexp, depth int) bool {
	switch {
	case depth > expandDepth, re.Op == syntax.OpRepeat && re.Max == 0:
		return false
	case re.Op == syntax.OpCharClass:
		return usual(re.Rune) > 1
	case re.Op == syntax.OpAnyChar, re.Op == syntax.OpAnyCharNotNL:
		return true
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return varies(sub, depth+1) })
}
