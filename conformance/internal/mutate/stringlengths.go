package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var byteSizes = []int{31, 32, 33, 63, 64, 65, 100, 126, 127, 128, 129, 190, 191, 192, 200, 250, 254, 255, 256}

var stringLengths = plan.Mutator{
	Name: "string-lengths",
	Doc:  "Sends strings of every length that any store holds, in characters of one to four bytes, because code that counts bytes cuts or refuses some.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			n, most := rank(s, p, (*place).free), certainLengths
			if p.schema.MaxLength != nil {
				most = min(*p.schema.MaxLength, 4*certainLengths-1)
			}
			var all []int
			for n := 1; n <= most; n++ {
				all = append(all, n)
			}
			with := func(kind string, list []int, text func(g *generate.Gen, n int) string) []plan.Class {
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *generate.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(text(g, n)))
				})
			}
			wide := slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n < freshLength || n%3 != 1 && n < most })
			var short []int // a fresh text leaves no room for wide characters
			if m := p.schema.MaxLength; m != nil && *m > 0 && *m < freshLength+shortRoom {
				short = []int{*m}
			}
			return slices.Concat(
				with("full-wide", short, func(g *generate.Gen, n int) string { return moved(ofLength(g, n), 'ā') }),
				with("full-cjk", short, func(g *generate.Gen, n int) string { return moved(ofLength(g, n), '植') }),
				with("full-astral", short, func(g *generate.Gen, n int) string { return moved(ofLength(g, n), '🌰') }),
				with("length", all, ofLength),
				with("length-wide", wide, func(g *generate.Gen, n int) string { return padded(g, n, "é") }),
				with("length-cjk", wide, func(g *generate.Gen, n int) string { return padded(g, n, "植") }),
				with("length-astral", wide, func(g *generate.Gen, n int) string { return padded(g, n, "🌱") }),
				with("length-bytes", byteSizes, ofBytes),
				with("length-astral-all", []int{60, 64}, ofAstral))
		})
	},
}

// shortRoom is how many wide characters next to a fresh text are enough.
const shortRoom = 8

// moved moves the letters and digits of a text to characters from another one on.
func moved(text string, to rune) string {
	return strings.Map(func(r rune) rune { return to + r%('z'-'a'+1) }, text)
}

// ofLength returns an ASCII text of n characters, fresh if it is long enough.
func ofLength(g *generate.Gen, n int) string {
	if n >= freshLength {
		return padded(g, n, "e")
	}
	// Short ones differ from run to run only where a neighbour is asked for.
	id := g.Identity()
	k := 0
	if id.Neighbour > 0 {
		k = id.RunNumber*8 + id.Neighbour
	}
	const digits = "qwxyzjkvabcdefghilmnoprstu"
	out := make([]byte, n)
	for i := range out {
		out[i] = digits[(k+i)%len(digits)]
		k /= len(digits)
	}
	return string(out)
}

// ofAstral returns n letters of four bytes each: a fresh word, each of its letters
// moved into CJK Extension B, repeated. A neighbour ends with the word itself,
// because some collations treat all such letters as equal.
func ofAstral(g *generate.Gen, n int) string {
	w := g.Word()
	out := make([]rune, n)
	for i := range out {
		out[i] = 0x20000 + rune(w[i%len(w)])<<8 + rune(i)
	}
	if g.Identity().Neighbour > 0 && n > len(w) {
		copy(out[n-len(w):], []rune(w))
	}
	return string(out)
}

// ofBytes returns a text of n bytes in few characters.
func ofBytes(g *generate.Gen, size int) string {
	w := g.Word()
	rest := max(0, size-len(w))
	return strings.Repeat("植", rest%4%3) + strings.Repeat("🌵", max(0, rest-3*(rest%4%3))/4) + w
}
