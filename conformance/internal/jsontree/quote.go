package jsontree

import "unicode/utf8"

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
