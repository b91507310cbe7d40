package mutate

import (
	"cmp"
	"math/rand"
	"strings"
	"unicode/utf8"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// alphabets are what random texts are mixed from: marks are with letters that
// carry them.
var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", " ", "'\"`´", `\/|`, "<>&;=", "%+#?@!$",
	"()[]{}", ".,:-_~^*", "äöüßéèçñåø", "ŁőşğıİžůĐŋ", "αβγΔΩέώ", "абвЯЖїё", "植物花草龍", "あいうサボ", "가나다선", "กขค",
	"אבג", "وردة", "गल", "🌱🌵😀🍀", "𠮷𝒜𐐷", "²½№€©→∞",
}

const drawnChunks = 6

// Every place can hold the letters of the first wordAlphabets, and a header field those of the
// first headerAlphabets.
const (
	wordAlphabets   = 3
	headerAlphabets = 10
)

// alphabetsOf returns the alphabets whose letters can be sent at the place.
func (p *place) alphabetsOf() []string {
	switch {
	case p.section && strings.HasPrefix(p.path, "header/"):
		return alphabets[:headerAlphabets]
	case p.section && strings.HasPrefix(p.path, "cookie/"):
		return alphabets[:wordAlphabets]
	}
	return alphabets
}

// mixture draws must-accept texts of several alphabets around a fresh word, within
// bounds on the number of characters.
func mixture(alphabets []string, fresh string, least, most int) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		var b strings.Builder
		room := most - len(fresh)
		at := p.Rng.Intn(drawnChunks)
		for i := range drawnChunks {
			if i == at {
				b.WriteString(fresh)
			}
			n := min(p.Rng.Intn(1+p.MaxSize/3), room)
			room -= n
			chunk(&b, p.Rng, alphabets[p.Rng.Intn(len(alphabets))], n)
		}
		text := strings.Trim(b.String(), " ")
		text += strings.Repeat("e", max(0, least-utf8.RuneCountInString(text)))
		return gopter.NewGenResult(text, gopter.NoShrinker)
	}
}

func chunk(b *strings.Builder, r *rand.Rand, set string, n int) {
	size := utf8.RuneCountInString(set)
	for range n {
		k := r.Intn(size)
		for _, c := range set {
			if k == 0 {
				b.WriteRune(c)
			}
			k--
		}
	}
}

var randomStrings = plan.Mutator{
	Name: "random-strings",
	Doc:  "Sends random strings that mix scripts, signs and spaces, because a fixed list misses what only a combination breaks.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			least, most := 0, certainLengths
			if p.schema.MaxLength != nil {
				most = min(most, *p.schema.MaxLength)
			}
			if p.schema.MinLength != nil {
				least = *p.schema.MinLength
			}
			return sorted(s, p.where(), "random", sampleOf(make([]int, cmp.Or(s.Draws, 1)), rank(s, p, (*place).free)), func(g *generate.Gen, _ int) *message.Message {
				text, _ := mixture(p.alphabetsOf(), g.Word(), least, most)(g.Params()).Retrieve()
				return p.with(g, jsontree.NewString(text.(string)))
			})
		})
	},
}
