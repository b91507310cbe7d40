package report

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Printable writes the characters of a JSON text that could steer a terminal, or
// turn the direction of a line, as \u escapes; JSON itself asks it only for those
// below U+0020. Beyond ASCII all bytes of a text stand inside strings, so the
// value stays the same.
func Printable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			out = append(out, b[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case unicode.IsPrint(r):
			out = append(out, b[i:i+n]...)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		i += n
	}
	return out
}
