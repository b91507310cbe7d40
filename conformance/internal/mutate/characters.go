package mutate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
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
	return schema.Settled(c) && unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) &&
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
			return sorted(s, p.where(), "characters", sampleOf(list, rank(s, p, (*place).free)), func(g *plan.Gen, pack string) *message.Message {
				return p.with(g, jsontree.NewString(g.Word()+pack))
			})
		})
	},
}

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
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *plan.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fmt.Sprintf(format, g.Word(), text)))
				})
			}
			marks := func(kind string, list []marked) []plan.Class {
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *plan.Gen, m marked) *message.Message {
					return p.with(g, jsontree.NewString(m.letter+m.mark+g.Word()+m.letter+m.mark))
				})
			}
			out := append(with("direction-inside", directionMarks, "a%[2]s%[1]s"), with("direction-around", directionMarks[3:8], "%[2]s%[1]s%[2]s")...)
			out = append(append(out, marks("variation", variations)...), marks("marks-of-planes", marking())...)
			return append(out, with("noncharacters", noncharacters(), "a%[2]s%[1]s")...)
		})
	},
}

// unusualStringGroups are strings that some stores refuse or change.
var unusualStringGroups = []textGroup{
	{"empty", []string{""}},
	{"blank", []string{" ", "   ", "          ", "\u3000"}},
	{"white-space-before", []string{" §", "   §", "\u00A0§", "\u3000§"}},
	{"white-space-behind", []string{"§ ", "§    ", "§\u00A0", "§\u2003"}},
	{"white-space-inside", []string{"a\u00A0§", "a\u2009§", "§\u3000植", "a\u2028§", "a\u2029§", "a\u0085§"}},
	{"newline", []string{"a\n§", "a\r\n§", "§\n", "\n§", "a\r§"}},
	{"tab", []string{"a\t§", "§\t", "\t§"}},
	{"control", []string{"a\x01§", "\x1B[31m§", "a\x08§", "a\x7F§", "a\x0C§", "a\x0B§", "\x1A§", "a\u009F§"}},
	{"nul", []string{"a\x00§", "§\x00", "\x00§", "\x00"}},
	{"zero-width", []string{"a\u200B§", "a\u200C§", "\u200D§", "§\u2060", "\u200B"}},
	{"joined-emoji", []string{"👩\u200D🌾 §", "👨\u200D👩\u200D👧 §", "🏳\uFE0F\u200D🌈 §"}},
	{"direction", []string{"\u202E§", "\u200F§", "\u2066§\u2069", "a\u061C§"}},
	{"soft-hyphen", []string{"a\u00AD§"}},
	{"byte-order-mark", []string{"\uFEFF§", "a\uFEFF§"}},
	{"tag-characters", []string{"a\U000E0061§", "§\U000E0001"}},
	{"private-use", []string{"a\uE000§", "a\uF8FF§", "a\U000F0000§", "a\U0010FFFD§"}},
	{"noncharacter", []string{"a\uFFFE§", "a\uFFFF§", "a\uFDD0§", "a\U0010FFFF§", "a\U0001FFFE§"}},
	{"unassigned", []string{"a\u0378§", "a\U0003FFFD§", "a\u2FE0§"}},
	{"newer-than-unicode-9", []string{"a\u32FF§", "a\u20BF§", "\u0560§", "a🥲§", "a🫠§", "a𞤀\U0001E94B§", "a\U00030000§", "a\U0002CEB0§"}},
	{"replacement", []string{"a\uFFFD§", "\uFFFD"}},
	{"mark-first", []string{"\u0301§", "\u0345§", "\uFE0F§"}},
	{"markup-blank", []string{"<br>\n§", "a\n\n\nb§"}},
}

// lengthsAbove are lengths between what every store holds and what most hold.
var lengthsAbove = []int{65, 66, 70, 80, 99, 100, 101, 119, 120, 127, 128, 129, 150, 190, 191, 192, 199, 200, 201, 240, 253, 254, 255}

var longLengths = []int{256, 257, 300, 500, 511, 512, 513, 1000, 1024, 1025, 2048, 4096}

var unusualStrings = plan.Mutator{
	Name: "unusual-strings",
	Doc:  "Sends valid strings that some servers refuse, such as empty, blank and very long ones and ones with control characters, because a server must refuse them properly or keep them unchanged.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			n := rank(s, p, (*place).free)
			var out []plan.Class
			for _, group := range unusualStringGroups {
				out = append(out, mayRefuse(s, p.where(), group.kind, sampleOf(group.items, n), func(g *plan.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})...)
			}
			with := func(kind string, list []int, pad string) []plan.Class {
				return mayRefuse(s, p.where(), kind, sampleOf(list, n), func(g *plan.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(padded(g, n, pad)))
				})
			}
			some := []int{65, 100, 128, 191, 255}
			return slices.Concat(out,
				with("length-above", lengthsAbove, "e"), with("length-above-wide", some, "é"),
				with("length-above-cjk", some, "植"), with("length-above-astral", some, "🌱"),
				with("long", longLengths, "e"), with("long-wide", []int{256, 512, 1000}, "植"), with("long-astral", []int{256, 1000}, "🌱"),
				p.huge(s),
				mayRefuse(s, p.where(), "long-words", []int{100, 255, 600}, func(g *plan.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(strings.Repeat("a b ", n/4)+g.Word()))
				}))
		})
	},
}

// hugeTexts are tried only if a shorter text may be refused already. The schema check
// need not decide each of them.
var hugeTexts = []int{10_000, 70_000}

func (p *place) huge(s *plan.Space) []plan.Class {
	build := func(g *plan.Gen, n int) *message.Message { return p.with(g, jsontree.NewString(padded(g, n, "e"))) }
	if len(judged(s, p.where(), longLengths[len(longLengths)-1:], build)[schema.MayRefuse]) == 0 || p.schema.MaxLength != nil {
		return nil
	}
	return heavy(listed(of(plan.FamilyMayRefuse, p.where(), "long-heavy"), hugeTexts, build))
}

// encodings are strings, between their quotes, that readers decode differently
// (RFC 8259, 8).
var encodings = []textGroup{
	{"lone-high-surrogate", []string{`\ud83d`, `a\uD800`, `\udbffa`}},
	{"lone-low-surrogate", []string{`\ude00`, `a\uDC00a`, `\udfff`}},
	{"surrogates-swapped", []string{`\ude00\ud83d`, `\ud83d\ud83d`, `\ud83d\u0041`}},
	{"surrogate-bytes", []string{"\xED\xA0\x80", "\xED\xB0\x80", "\xED\xA0\xBD\xED\xB8\x80"}},
	{"stray-continuation", []string{"\x80", "a\xBFa", "\x80\x80\x80"}},
	{"cut-sequence", []string{"\xC3", "\xE2\x82", "\xF0\x9F\x8C"}},
	{"overlong", []string{"\xC0\xAF", "\xE0\x80\xAF", "\xC1\x81", "\xC0\x80", "\xF0\x80\x80\xAF"}},
	{"beyond-unicode", []string{"\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80"}},
	{"invalid-byte", []string{"\xFE", "\xFF", "\xFF\xFE"}},
	{"latin1", []string{"K\xF6nig", "caf\xE9", "\xA0"}},
}

// encoding is the place of classes that change how the body is encoded.
var encoding = plan.Place{Name: "encoding"}

var textEncoding = plan.Mutator{
	Name: "text-encoding",
	Doc:  "Sends strings that are not valid Unicode, a byte order mark, and bodies in UTF-16 and UTF-32, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		if at := freeTexts(s); len(at) > 0 {
			for _, group := range encodings {
				out = append(out, mayRefuse(s, encoding, group.kind, group.items, func(g *plan.Gen, text string) *message.Message {
					m := g.Baseline()
					w := g.Word()
					at[0].set(m, &jsontree.Value{Kind: jsontree.String, Text: w + text, Raw: `"` + w + text + `"`})
					return m
				})...)
			}
		}
		for _, p := range inJSON(s, tried(s)) {
			if !p.free() || p.up == nil || p.up.up != nil {
				continue
			}
			out = append(out, mayRefuse(s, encoding, "in-"+p.slug, []string{`\ud83d`, `\ude00`, "\xFF", "\xC3"}, func(g *plan.Gen, text string) *message.Message {
				m := g.Baseline()
				w := g.Word()
				p.set(m, &jsontree.Value{Kind: jsontree.String, Text: w + text, Raw: `"` + w + text + `"`})
				return m
			})...)
		}
		for _, group := range encodings {
			out = append(out, mayRefuse(s, encoding, "name-with-"+group.kind, group.items[:1], func(g *plan.Gen, text string) *message.Message {
				m := g.Baseline()
				if m.Tree.Kind != jsontree.Object {
					return nil
				}
				m.Tree.Members = append(m.Tree.Members, jsontree.Member{Name: text, Raw: `"x` + text + `"`, Value: jsontree.NewNumber("1")})
				return m
			})...)
		}
		out = append(out, mayRefuse(s, encoding, "utf16-utf32", wideEncodings, func(g *plan.Gen, change func(*message.Message, []byte) []byte) *message.Message {
			m := g.Baseline()
			m.Raw = change(m, m.Body())
			return m
		})...)
		return append(out, mayRefuse(s, encoding, "byte-order-mark", []string{"\xEF\xBB\xBF", "\xEF\xBB\xBF ", "\xEF\xBB\xBF\n", "\xEF\xBB"}, changed(func(m *message.Message, before string) {
			m.Raw = slices.Concat([]byte(before), m.Body())
		}))...)
	},
}

// blank are texts of nothing but blanks, where a pattern such as \S allows blanks only beside
// other characters. A server that only checks that a text is not empty accepts them.
func (p *place) blank(s *plan.Space) []plan.Class {
	if !p.patterned() || p.section {
		return nil
	}
	minimum := 1
	if p.schema.MinLength != nil {
		minimum = max(minimum, *p.schema.MinLength)
	}
	alone, shape := strings.Repeat(" ", minimum), s.Op.Body.Shape
	if !shape.Mismatches(p.schema.Pattern, alone) || shape.Mismatches(p.schema.Pattern, " "+plan.Probe(s.Op).BaselineText(p.schema)) {
		return nil
	}
	return invalid(s, p.where(), "blank", []string{alone, strings.Repeat("\t", minimum)}, func(g *plan.Gen, text string) *message.Message {
		return p.with(g, jsontree.NewString(text))
	})
}
