package mutate

import (
	"fmt"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// directionMarks change the direction of the text around them (UAX 9).
var directionMarks = []string{"\u200E", "\u200F", "\u061C", "\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"}

// marked is a letter of one plane with a mark of another.
type marked struct{ letter, mark string }

// variations are letters whose form a selector behind them chooses (UTS 37 and 51).
var variations = []marked{{"☀", "\uFE0E"}, {"☀", "\uFE0F"}, {"1", "\uFE0F\u20E3"}, {"葛", "\U000E0100"}, {"辻", "\U000E0101"}, {"邉", "\U000E0110"}, {"葛", "\U000E01EF"},
	{"㐂", "\uFE00"}, {"≨", "\uFE00"}, {"ᠠ", "\u180B"}, {"ᠨ", "\u180C"}, {"က", "\uFE00"}}

// marks of the planes that have any, and letters of those that have letters.
var (
	planeMarks   = []string{"\u0301", "\u0489", "\u20D0", "\u302A", "\uFE20", "\U000101FD", "\U00010A0F", "\U00011133", "\U00016AF0", "\U0001D165", "\U0001E8D0", "\U000E0100"}
	planeLetters = []string{"e", "植", "𐐷", "𠮷", "\U00030000", "\U0010FFFD"}
)

// marking pairs every letter with some marks, and every mark with some letters.
func marking() []marked {
	var out []marked
	for i, mark := range planeMarks {
		for k := range 2 {
			out = append(out, marked{planeLetters[(i+3*k+i/len(planeLetters))%len(planeLetters)], mark})
		}
	}
	return out
}

// noncharacters are the two last code points of each plane, those of two planes in each text.
func noncharacters() []string {
	var out []string
	for plane := rune(0); plane < 16; plane += 2 {
		out = append(out, string([]rune{plane<<16 | 0xFFFE, 'e', plane<<16 | 0xFFFF, 'e', plane<<16 | 0x1FFFE, 'e', plane<<16 | 0x1FFFF}))
	}
	return append(out, "\uFDD0e\uFDEF")
}

var invisibleMarks = plan.Mutator{
	Name: "invisible-marks",
	Doc:  "Puts marks of direction and variation, combining marks of every plane, and noncharacters into texts, because code strips them, pairs them, or looks them up in a table of one plane.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			n := rank(s, p, (*place).free)
			with := func(kind string, list []string, format string) []plan.Class {
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *generate.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fmt.Sprintf(format, g.Word(), text)))
				})
			}
			marks := func(kind string, list []marked) []plan.Class {
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *generate.Gen, m marked) *message.Message {
					return p.with(g, jsontree.NewString(m.letter+m.mark+g.Word()+m.letter+m.mark))
				})
			}
			out := append(with("direction-inside", directionMarks, "a%[2]s%[1]s"), with("direction-around", directionMarks[3:8], "%[2]s%[1]s%[2]s")...)
			out = append(append(out, marks("variation", variations)...), marks("marks-of-planes", marking())...)
			return append(out, with("noncharacters", noncharacters(), "a%[2]s%[1]s")...)
		})
	},
}
