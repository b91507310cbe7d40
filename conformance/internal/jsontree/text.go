package jsontree

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// stringFacts is what scanning a string shows besides its end.
type stringFacts struct {
	escaped bool
	invalid int // offset of the first byte that is not UTF-8, or -1
	lone    int // offset of the first escape of a lone surrogate, or -1
}

// show spells the first character of rest for a message.
func show(rest string) string {
	r, n := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte 0x%02X", rest[0])
	}
	return fmt.Sprintf("%q", r)
}

// scanString reads a string by RFC 8259, section 7. The scanner stands on the quote.
func (sc *scanner) scanString() error {
	s, i := sc.s, sc.pos+1
	f := stringFacts{invalid: -1, lone: -1}
	for i < len(s) {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		switch {
		case c == '"':
			sc.pos, sc.end, sc.str = i+1, i+1, f
			return nil
		case c == '\\':
			f.escaped = true
			n, err := sc.escape(i, &f)
			if err != nil {
				return err
			}
			i += n
		case c < 0x20:
			return sc.fail(i, fmt.Sprintf("unescaped control character 0x%02X in a string", c))
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 && f.invalid < 0 {
				f.invalid = i
			}
			i += n
		}
	}
	return sc.fail(len(s), "text ends inside a string")
}

// escape checks the escape at i and gives its length; a surrogate pair is one.
func (sc *scanner) escape(i int, f *stringFacts) (int, error) {
	s := sc.s
	if i+1 == len(s) {
		return 0, sc.fail(len(s), "text ends inside a string")
	}
	if s[i+1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[i+1]) < 0 {
			return 0, sc.fail(i+1, fmt.Sprintf("unknown escape \\ and %s", show(s[i+1:])))
		}
		return 2, nil
	}
	u, n := hex4(s[i+2:])
	if n < 4 {
		if i+2+n == len(s) {
			return 0, sc.fail(len(s), "text ends inside a string")
		}
		return 0, sc.fail(i+2+n, fmt.Sprintf("unexpected %s, want a hex digit", show(s[i+2+n:])))
	}
	if isHigh(u) && strings.HasPrefix(s[i+6:], `\u`) {
		if low, n := hex4(s[i+8:]); n == 4 && isLow(low) {
			return 12, nil
		}
	}
	if (isHigh(u) || isLow(u)) && f.lone < 0 {
		f.lone = i
	}
	return 6, nil
}

// scanNumber reads a number by RFC 8259, section 6.
func (sc *scanner) scanNumber() error {
	n, msg := numberLength(sc.s[sc.pos:])
	end := sc.pos + n
	if msg != "" {
		if end == len(sc.s) {
			return sc.fail(end, "text ends inside a number")
		}
		return sc.fail(end, fmt.Sprintf("unexpected %s in a number, %s", show(sc.s[end:]), msg))
	}
	sc.pos, sc.end = end, end
	return nil
}

// numberLength measures the number at the start of s; msg says what is missing.
func numberLength(s string) (n int, msg string) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	first := i
	i += digits(s[i:])
	switch {
	case i == first:
		return i, "want a digit"
	case s[first] == '0' && i > first+1:
		return first + 1, "no digit may follow a leading zero"
	}
	if i < len(s) && s[i] == '.' {
		d := digits(s[i+1:])
		if i += 1 + d; d == 0 {
			return i, "want a digit"
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		d := digits(s[i:])
		if i += d; d == 0 {
			return i, "want a digit"
		}
	}
	return i, ""
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// hex4 reads up to four hex digits and gives their value and number.
func hex4(s string) (u rune, n int) {
	for n < 4 && n < len(s) {
		c := s[n]
		switch {
		case c >= '0' && c <= '9':
			u = u<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			u = u<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			u = u<<4 | rune(c-'A'+10)
		default:
			return u, n
		}
		n++
	}
	return u, n
}

func isHigh(u rune) bool { return u >= 0xD800 && u <= 0xDBFF }
func isLow(u rune) bool  { return u >= 0xDC00 && u <= 0xDFFF }

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

// EscapeMode chooses how strings and names are escaped; modes combine with |.
// Every mode spells the same text (RFC 8259, section 7). Bytes that are not
// UTF-8 have no escape and are written as they are; lone surrogates are always
// escaped.
type EscapeMode uint8

// The modes. Minimal escapes what must be, by its two-character form if it has one.
const (
	Minimal  EscapeMode = 0
	ASCII    EscapeMode = 1 << (iota - 1) // \uXXXX for all beyond ASCII, in surrogate pairs where needed
	All                                   // \uXXXX for every character
	UpperHex                              // digits A to F instead of a to f
	Solidus                               // \/ for /
	Short                                 // with All: \" \\ \b \f \n \r \t keep their two-character form
	Long                                  // \u00XX even where a two-character form exists
)

// Quote spells s as a JSON string.
func Quote(s string, mode EscapeMode) string {
	return string(appendQuoted(make([]byte, 0, len(s)+2), s, mode))
}

func appendQuoted(b []byte, s string, mode EscapeMode) []byte {
	b = append(b, '"')
	done := 0 // s[:done] is written
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if mode&All != 0 || c < 0x20 || c == '"' || c == '\\' || c == '/' && mode&Solidus != 0 {
				b = appendEscape(append(b, s[done:i]...), c, mode)
				done = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		escape := mode&(All|ASCII) != 0
		if r == utf8.RuneError && n == 1 {
			if r, escape = surrogate(s[i:]); escape {
				n = 3
			}
		}
		if escape {
			b = appendHex(append(b, s[done:i]...), r, mode)
			done = i + n
		}
		i += n
	}
	return append(append(b, s[done:]...), '"')
}

// appendEscape escapes an ASCII character.
func appendEscape(b []byte, c byte, mode EscapeMode) []byte {
	short := c
	switch c {
	case '"', '\\':
	case '/':
		if mode&Solidus == 0 {
			short = 0
		}
	case '\b':
		short = 'b'
	case '\f':
		short = 'f'
	case '\n':
		short = 'n'
	case '\r':
		short = 'r'
	case '\t':
		short = 't'
	default:
		short = 0
	}
	if short == 0 || mode&Long != 0 && c != '/' || mode&All != 0 && mode&Short == 0 {
		return appendHex(b, rune(c), mode)
	}
	return append(b, '\\', short)
}

func appendHex(b []byte, r rune, mode EscapeMode) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		b = appendHex(b, 0xD800+r>>10, mode)
		return appendHex(b, 0xDC00+r&0x3FF, mode)
	}
	hex := "0123456789abcdef"
	if mode&UpperHex != 0 {
		hex = "0123456789ABCDEF"
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Cut shortens a text to n bytes at most, at a character, with an ellipsis.
func Cut(s string, n int) string { return cutText(s, n) }
