package serialize

import (
	"strings"
)

const hexDigits = "0123456789ABCDEF"

func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// escape percent-encodes every byte that is neither unreserved nor one of keep (RFC
// 3986, 2.1).
func escape(text, keep string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if unreserved(c) || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}

// What stays unencoded besides what is unreserved. Reserved characters that a
// server could take for a delimiter are encoded even where allowReserved is true:
// the document leaves that to the application (OpenAPI 3.1, 4.8.12.2).
const (
	literalKeep  = "!$&'()*+,;=:@"
	reservedKeep = ":/?@!$'()*"
	segmentKeep  = ":@!$'()*"
	cookieKeep   = "!#$'()*+/:<>?@[]^`{|}"
)

// escapeLiteral encodes what a path cannot have, and keeps what is encoded already.
func escapeLiteral(text string) string {
	var b strings.Builder
	for text != "" {
		n := 1
		if _, ok := triplet(text); ok {
			n = 3
			b.WriteString(text[:n])
		} else {
			b.WriteString(escape(text[:n], literalKeep))
		}
		text = text[n:]
	}
	return b.String()
}

// triplet returns the byte that a text starts with if it is percent-encoded.
func triplet(text string) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, low := strings.IndexByte(hexDigits, upper(text[1])), strings.IndexByte(hexDigits, upper(text[2]))
	return byte(high<<4 | low), high >= 0 && low >= 0
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// unescape decodes a text and reports whether each "%" was part of a triplet.
func unescape(raw string, plus bool) (string, bool) {
	if !strings.ContainsAny(raw, "%+") {
		return raw, true
	}
	b, valid := make([]byte, 0, len(raw)), true
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch d, ok := triplet(raw[i:]); {
		case ok:
			c, i = d, i+2
		case c == '%':
			valid = false
		case c == '+' && plus:
			c = ' '
		}
		b = append(b, c)
	}
	return string(b), valid
}
