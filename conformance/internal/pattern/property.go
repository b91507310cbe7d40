package pattern

import (
	"slices"
	"strings"
	"unicode"
)

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
