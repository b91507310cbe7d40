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
