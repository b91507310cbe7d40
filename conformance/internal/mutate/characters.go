package mutate

import (
	"unicode"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// block is a stretch of Unicode of which every step-th character is tried.
type block struct {
	first, last rune
	step        rune
}

// blocks are scripts and signs that every version of Unicode in use has.
var blocks = []block{
	{0xA1, 0x24F, 1}, {0x250, 0x2AF, 2}, {0x370, 0x3FF, 1}, {0x400, 0x52F, 1}, {0x531, 0x587, 1}, {0x5BE, 0x5F4, 1}, {0x606, 0x6FF, 1},
	{0x710, 0x74A, 3}, {0x904, 0x97F, 1}, {0x985, 0xDFF, 5}, {0xE01, 0xE5B, 1}, {0xE81, 0xFDA, 5}, {0x1000, 0x109F, 3}, {0x10A0, 0x10FF, 1},
	{0x1100, 0x1159, 4}, {0x1200, 0x1399, 7}, {0x13A0, 0x13F4, 1}, {0x1401, 0x1676, 17}, {0x1780, 0x17B3, 2}, {0x1810, 0x18AA, 4},
	{0x1E00, 0x1EFF, 1}, {0x1F00, 0x1FFF, 1}, {0x2010, 0x205E, 1}, {0x2070, 0x20B5, 1}, {0x2100, 0x218A, 1}, {0x2190, 0x23FF, 5},
	{0x2460, 0x24FF, 2}, {0x2500, 0x27BF, 5}, {0x2900, 0x2BFF, 13}, {0x2C00, 0x2CFF, 2}, {0x2E80, 0x2FD5, 11}, {0x3001, 0x30FF, 1},
	{0x3105, 0x318E, 3}, {0x3200, 0x33FF, 5}, {0x4E00, 0x9FA5, 101}, {0xAC00, 0xD7A3, 113}, {0xF900, 0xFAFF, 9}, {0xFB00, 0xFB4F, 1},
	{0xFB50, 0xFDFF, 11}, {0xFE30, 0xFE6B, 1}, {0xFE70, 0xFEFC, 5}, {0xFF01, 0xFFE6, 1}, {0x10330, 0x1034A, 2}, {0x10400, 0x1044F, 1},
	{0x1D400, 0x1D7FF, 19}, {0x1F0A1, 0x1F1FF, 5}, {0x1F300, 0x1F64F, 7}, {0x20000, 0x2A6D6, 1511},
}

// packLength is how many characters one text holds beside its fresh word.
const packLength = 44

// packs are texts of all characters of the blocks, in order.
func packs() []string {
	var out []string
	var pack []rune
	for _, b := range blocks {
		for c := b.first; c <= b.last; c += b.step {
			if !seen(c) {
				continue
			}
			if pack = append(pack, c); len(pack) == packLength {
				out, pack = append(out, string(pack)), nil
			}
		}
	}
	return append(out, string(pack))
}

// seen reports whether a character is one that a reader sees: fillers and
// selectors are not, though they are letters and marks.
func seen(c rune) bool {
	return openapi.Settled(c) && unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) && !unicode.Is(unicode.Variation_Selector, c) && c != 0xFFFC
}

var characters = plan.Mutator{
	Name: "characters",
	Doc:  "Packs the characters of all scripts into strings, because code that maps, folds, strips or refuses any of them changes one.",
	Classes: func(s *plan.Space) []plan.Class {
		list := packs()
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			return sorted(s, p.where(), "characters", sampleOf(list, rank(s, p, (*place).free)), func(g *generate.Gen, pack string) *message.Message {
				return p.with(g, jsontree.NewString(g.Word()+pack))
			})
		})
	},
}
