package jsontree

import (
	"strings"
	"unicode/utf8"
)

// unquote decodes the inside of a string that the scanner has accepted.
func unquote(s string) string {
	out := make([]byte, 0, len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return string(append(out, s...))
		}
		out = append(out, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			var r rune
			r, s = codePoint(s)
			out = appendWTF8(out, r)
		default:
			out = append(out, c)
		}
	}
}

// codePoint reads the four digits behind \u, and a following low surrogate.
func codePoint(s string) (rune, string) {
	u, _ := hex4(s)
	s = s[4:]
	if isHigh(u) && strings.HasPrefix(s, `\u`) {
		if low, n := hex4(s[2:]); n == 4 && isLow(low) {
			return joinSurrogates(u, low), s[6:]
		}
	}
	return u, s
}

func joinSurrogates(high, low rune) rune { return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000 }

// appendWTF8 encodes like UTF-8, and surrogates too, which UTF-8 forbids.
func appendWTF8(b []byte, r rune) []byte {
	if isHigh(r) || isLow(r) {
		return append(b, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(b, r)
}

// surrogate gives the surrogate at the start of s, if one stands there.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2] < 0x80 || s[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}
