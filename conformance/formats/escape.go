package formats

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes bytes from anywhere safe to print: control characters,
// direction marks, unassigned characters and broken UTF-8 are written as
// backslash escapes, everything else stays readable.
func Escape(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// clean reports whether Escape would change nothing.
func clean(s string) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			return false
		}
		i += n
	}
	return true
}

// cut escapes s and keeps at most so many characters; what was cut is said with
// the length of the whole in bytes.
func cut(s string, runes int) string {
	// An escape is at most ten characters for one byte, so that a huge value
	// need not be escaped in full before most of it is thrown away.
	head := s
	if len(head) > 4*runes {
		head = head[:4*runes]
	}
	e := Escape(head)
	if len(head) == len(s) && utf8.RuneCountInString(e) <= runes {
		return e
	}
	i := 0
	for n := 0; n < runes && i < len(e); n++ {
		_, w := utf8.DecodeRuneInString(e[i:])
		i += w
	}
	return e[:i] + fmt.Sprintf("… (%d bytes)", len(s))
}

// wrap breaks s at blanks into lines of at most width characters; a word that is
// longer than a line is broken anywhere.
func wrap(s string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(s) > width {
		end, blank := 0, -1
		for n := 0; n <= width && end < len(s); n++ {
			if s[end] == ' ' && n > width/3 {
				blank = end
			}
			if n < width {
				_, w := utf8.DecodeRuneInString(s[end:])
				end += w
			}
		}
		if blank < 0 {
			lines, s = append(lines, s[:end]), s[end:]
			continue
		}
		lines, s = append(lines, s[:blank]), strings.TrimLeft(s[blank:], " ")
	}
	return append(lines, s)
}
