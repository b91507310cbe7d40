package mutate

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestPacksHaveEveryVisibleCharacterOnceAndFitIntoAMustAcceptText(t *testing.T) {
	known := map[rune]bool{}
	for _, pack := range packs() {
		assert.True(t, utf8.ValidString(pack))
		assert.LessOrEqual(t, utf8.RuneCountInString(pack), packLength)
		for _, c := range pack {
			assert.False(t, known[c], "%U stands twice", c)
			known[c] = true
		}
	}
	for _, c := range []rune{'é', 'ß', 'Ω', 'я', 'ـ', 'ي', 'ک', '〜', 'µ', '𐐀', 'ﬁ', '1' + 0xFEE0} {
		assert.True(t, known[c], "%c", c)
	}
	for _, c := range []rune{0xAD, 0x34F, 0x115F, 0x3164, 0xFE0F, 0xFFFC} {
		assert.False(t, known[c], "%U cannot be seen", c)
	}
}

func TestTheTroublesomeKindsOfTextExist(t *testing.T) {
	for _, kind := range troublesome {
		assert.True(t, slices.ContainsFunc(slices.Concat(scripts, signs), func(g textGroup) bool { return g.kind == kind }), kind)
	}
}
