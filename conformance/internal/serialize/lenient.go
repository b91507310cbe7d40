package serialize

import (
	"cmp"
	"math/big"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
)

// lenient returns the value that a lenient reader takes a text for, with the reason,
// or nil if there is none.
func lenient(k kinds, text string) (*jsontree.Value, string) {
	trimmed := strings.TrimSpace(text)
	if k&isWhole != 0 {
		if n := cmp.Or(otherBase(trimmed), lenientNumber(trimmed)); n != "" {
			return jsontree.NewNumber(n), "number spelled " + jsontree.Cut(text, longestShown)
		}
	}
	if k&isBool != 0 {
		switch strings.ToLower(trimmed) {
		case "true", "t", "yes", "y", "on", "1":
			return jsontree.NewBool(true), "boolean spelled " + jsontree.Cut(text, longestShown)
		case "false", "f", "no", "n", "off", "0":
			return jsontree.NewBool(false), "boolean spelled " + jsontree.Cut(text, longestShown)
		}
	}
	if k&isNull != 0 && k != anyKind && strings.EqualFold(trimmed, "null") {
		return jsontree.NewNull(), "null as text"
	}
	return nil, ""
}

// otherBase returns the JSON number that is meant by digits behind the prefix of their base, as
// JavaScript's Number and validators that are built on it read them. It is empty if the text is
// no such number. How a server turns text into numbers is not specified (OpenAPI 3.1.1,
// appendix B).
func otherBase(text string) string {
	if len(text) < 3 || text[0] != '0' || !strings.ContainsRune("xXoObB", rune(text[1])) {
		return ""
	}
	base := map[byte]int{'x': 16, 'o': 8, 'b': 2}[text[1]|0x20]
	if n, ok := new(big.Int).SetString(text[2:], base); ok && text[2] != '-' && text[2] != '+' {
		return n.String()
	}
	return ""
}

// lenientNumber returns the JSON number that is meant by a text with a plus sign,
// leading zeros, a point at an end, underscores between digits, or digits of another
// script. It is empty if the text means none.
func lenientNumber(text string) string {
	var b strings.Builder
	previous := rune(0)
	for i, c := range text {
		switch {
		case c < 0x80 && c != '_':
			b.WriteRune(c)
		case c == '_' && unicode.IsDigit(previous) && i+1 < len(text) && text[i+1] != '_':
			if next := []rune(text[i+1 : min(len(text), i+5)])[0]; !unicode.IsDigit(next) {
				return ""
			}
		case unicode.IsDigit(c):
			b.WriteByte('0' + digitValue(c))
		default:
			return ""
		}
		previous = c
	}
	text = b.String()
	sign := ""
	switch {
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	case strings.HasPrefix(text, "-"):
		sign, text = "-", text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" {
		return ""
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point && fraction != "" {
		whole += "." + fraction
	}
	if n := sign + whole + exponent; jsontree.ValidNumber(n) {
		return n
	}
	return ""
}

// digitValue returns the value of a decimal digit: those of a script follow each
// other from zero (Unicode, 4.6).
func digitValue(c rune) byte {
	for _, r := range unicode.Nd.R16 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return byte((c - rune(r.Lo)) % 10)
		}
	}
	for _, r := range unicode.Nd.R32 {
		if rune(r.Lo) <= c && c <= rune(r.Hi) {
			return byte((c - rune(r.Lo)) % 10)
		}
	}
	return 0
}
