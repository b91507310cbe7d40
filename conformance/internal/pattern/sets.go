package pattern

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// span is a range of characters, both ends in it.
type span struct{ low, high rune }

// set is characters, as spans in order that do not touch.
type set []span

const lastCharacter = unicode.MaxRune

// The sets of ECMA-262, 22.2.2: they are not those of other engines.
func digits() set { return set{{'0', '9'}} }

func wordCharacters() set { return set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}} }

// spaces are WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3): Zs, and
// U+FEFF too.
func spaces() set {
	return set{{0x09, 0x0D}, {0x20, 0x20}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A},
		{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}
}

func lineEnds() set { return set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}} }

func (s set) has(c rune) bool {
	_, found := slices.BinarySearchFunc(s, c, func(r span, c rune) int {
		switch {
		case r.high < c:
			return -1
		case r.low > c:
			return 1
		}
		return 0
	})
	return found
}

// union gives all characters of both.
func (s set) union(other set) set {
	all := append(slices.Clone(s), other...)
	slices.SortFunc(all, func(a, b span) int { return int(a.low - b.low) })
	var out set
	for _, r := range all {
		if n := len(out); n > 0 && r.low <= out[n-1].high+1 {
			out[n-1].high = max(out[n-1].high, r.high)
			continue
		}
		out = append(out, r)
	}
	return out
}

// complement gives all other characters.
func (s set) complement() set {
	var out set
	from := rune(0)
	for _, r := range s {
		if r.low > from {
			out = append(out, span{from, r.low - 1})
		}
		from = r.high + 1
	}
	if from <= lastCharacter {
		out = append(out, span{from, lastCharacter})
	}
	return out
}

func (s set) without(other set) set { return s.complement().union(other).complement() }

// setOf reads tables of package unicode.
func setOf(tables ...*unicode.RangeTable) set {
	var out set
	for _, t := range tables {
		for _, r := range t.R16 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return set(nil).union(out)
}

func appendStride(out set, low, high, stride rune) set {
	if stride == 1 {
		return append(out, span{low, high})
	}
	for c := low; c <= high; c += stride {
		out = append(out, span{c, c})
	}
	return out
}

// property gives the characters of \p{text}, as ECMA-262 spells properties
// (22.2.2.9, tables 65 to 69): name, or name=value. It is errOpaque for a
// property that is in no table of package unicode.
func property(text string) (set, error) {
	name, value, both := strings.Cut(text, "=")
	if both {
		switch name {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc":
			return script(value)
		case "Script_Extensions", "scx":
			if _, err := script(value); err != nil {
				return nil, err
			}
			return nil, errOpaque
		}
		return nil, bad("unknown property " + name)
	}
	if s, err := category(text); err == nil {
		return s, nil
	}
	return binary(text)
}

func category(name string) (set, error) {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	if t := unicode.Categories[name]; t != nil {
		return setOf(t), nil
	}
	return nil, bad("unknown category " + name)
}

func assigned() set { return setOf(unicode.Cn).complement() }

// shortScripts are the codes of ISO 15924 that documents use.
var shortScripts = map[string]string{"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Cher": "Cherokee",
	"Cyrl": "Cyrillic", "Deva": "Devanagari", "Ethi": "Ethiopic", "Geor": "Georgian", "Grek": "Greek", "Gujr": "Gujarati",
	"Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana", "Khmr": "Khmer",
	"Knda": "Kannada", "Laoo": "Lao", "Latn": "Latin", "Mlym": "Malayalam", "Mong": "Mongolian", "Mymr": "Myanmar", "Orya": "Oriya",
	"Sinh": "Sinhala", "Syrc": "Syriac", "Taml": "Tamil", "Telu": "Telugu", "Thaa": "Thaana", "Thai": "Thai", "Tibt": "Tibetan",
	"Zinh": "Inherited", "Qaai": "Inherited", "Zyyy": "Common"}

func script(name string) (set, error) {
	if long, ok := shortScripts[name]; ok {
		name = long
	}
	if t := unicode.Scripts[name]; t != nil {
		return setOf(t), nil
	}
	return nil, bad("unknown script " + name)
}

// binary gives a property that a character has or has not.
func binary(name string) (set, error) {
	switch name {
	case "Any":
		return set{{0, lastCharacter}}, nil
	case "ASCII":
		return set{{0, 0x7F}}, nil
	case "Assigned":
		return assigned(), nil
	case "Alphabetic", "Alpha":
		return setOf(unicode.L, unicode.Nl, unicode.Other_Alphabetic), nil
	case "Uppercase", "Upper":
		return setOf(unicode.Lu, unicode.Other_Uppercase), nil
	case "Lowercase", "Lower":
		return setOf(unicode.Ll, unicode.Other_Lowercase), nil
	case "Math":
		return setOf(unicode.Sm, unicode.Other_Math), nil
	case "ID_Start", "IDS":
		return idStart(), nil
	case "ID_Continue", "IDC":
		return idStart().union(setOf(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)).without(patternCharacters()), nil
	}
	if long, ok := shortProperties[name]; ok {
		name = long
	}
	if t := unicode.Properties[name]; t != nil && slices.Contains(listed, name) {
		return setOf(t), nil
	}
	if slices.Contains(unlisted, name) {
		return nil, errOpaque
	}
	return nil, bad("unknown property " + name)
}

func patternCharacters() set { return setOf(unicode.Pattern_Syntax, unicode.Pattern_White_Space) }

func idStart() set {
	return setOf(unicode.L, unicode.Nl, unicode.Other_ID_Start).without(patternCharacters())
}

var shortProperties = map[string]string{"AHex": "ASCII_Hex_Digit", "Hex": "Hex_Digit", "Dep": "Deprecated", "Dia": "Diacritic",
	"Ext": "Extender", "Ideo": "Ideographic", "Join_C": "Join_Control", "NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax",
	"Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark", "RI": "Regional_Indicator", "STerm": "Sentence_Terminal",
	"SD": "Soft_Dotted", "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph", "VS": "Variation_Selector", "space": "White_Space"}

// listed are the binary properties of ECMA-262 (table 67) with a table in
// package unicode, unlisted those without one.
var (
	listed = []string{"ASCII_Hex_Digit", "Bidi_Control", "Dash", "Deprecated", "Diacritic", "Extender", "Hex_Digit", "IDS_Binary_Operator",
		"IDS_Trinary_Operator", "Ideographic", "Join_Control", "Logical_Order_Exception", "Noncharacter_Code_Point", "Pattern_Syntax",
		"Pattern_White_Space", "Quotation_Mark", "Radical", "Regional_Indicator", "Sentence_Terminal", "Soft_Dotted",
		"Terminal_Punctuation", "Unified_Ideograph", "Variation_Selector", "White_Space"}
	unlisted = []string{"Bidi_Mirrored", "Bidi_M", "Case_Ignorable", "CI", "Cased", "Changes_When_Casefolded", "CWCF",
		"Changes_When_Casemapped", "CWCM", "Changes_When_Lowercased", "CWL", "Changes_When_NFKC_Casefolded", "CWKCF",
		"Changes_When_Titlecased", "CWT", "Changes_When_Uppercased", "CWU", "Default_Ignorable_Code_Point", "DI", "Emoji",
		"Emoji_Component", "EComp", "Emoji_Modifier", "EMod", "Emoji_Modifier_Base", "EBase", "Emoji_Presentation", "EPres",
		"Extended_Pictographic", "ExtPict", "Grapheme_Base", "Gr_Base", "Grapheme_Extend", "Gr_Ext", "XID_Continue", "XIDC",
		"XID_Start", "XIDS", "Bidi_C", "IDSB", "IDST", "LOE"}
)

// maxRE2 is how often RE2 repeats an expression at most.
const maxRE2 = 1000

// translate writes an expression so that RE2 means the same; it is false where
// RE2 has no such thing. Whether a repetition is lazy or greedy, and which part
// a group took, is nothing that yes or no depends on.
func translate(n *node) (string, bool) {
	if !n.regular() {
		return "", false
	}
	var b strings.Builder
	ok := write(&b, n)
	return b.String(), ok
}

func write(b *strings.Builder, n *node) bool {
	switch n.op {
	case opSet:
		writeSet(b, n.set)
	case opBegin:
		b.WriteString(`\A`)
	case opEnd:
		b.WriteString(`\z`)
	case opWord:
		if n.not {
			b.WriteString(`\B`)
		} else {
			b.WriteString(`\b`)
		}
	case opConcat:
		for _, s := range n.sub {
			if !write(b, s) {
				return false
			}
		}
	default:
		return writeGroup(b, n)
	}
	return true
}

func writeGroup(b *strings.Builder, n *node) bool {
	b.WriteString("(?:")
	for i, s := range n.sub {
		if i > 0 {
			b.WriteByte('|')
		}
		if !write(b, s) {
			return false
		}
	}
	b.WriteByte(')')
	if n.op != opRepeat {
		return true
	}
	switch {
	case n.minimum > maxRE2 || n.maximum > maxRE2:
		return false
	case n.maximum < 0 && n.minimum == 0:
		b.WriteByte('*')
	case n.maximum < 0:
		fmt.Fprintf(b, "{%d,}", n.minimum)
	default:
		fmt.Fprintf(b, "{%d,%d}", n.minimum, n.maximum)
	}
	return true
}

func writeSet(b *strings.Builder, s set) {
	if len(s) == 0 {
		b.WriteString(`[^\x{0}-\x{10FFFF}]`)
		return
	}
	b.WriteByte('[')
	for _, r := range s {
		fmt.Fprintf(b, `\x{%X}-\x{%X}`, r.low, r.high)
	}
	b.WriteByte(']')
}
