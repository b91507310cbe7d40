package report

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Printable escapes the characters of a JSON text that could control a terminal or
// change the direction of a line. JSON requires this only below U+0020. Outside
// ASCII, all bytes of a JSON text are inside strings, so its value does not change.
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
