package redact

import (
	"bytes"
	"html"
	"strconv"
	"unicode/utf8"
)

// kind reads one escape at the beginning of bytes in small letters: the
// character and the length of the escape, 0 for none.
type kind func(b []byte) (c rune, n int)

// kinds are those that servers write: percent (RFC 3986, 2.1) and its %uXXXX,
// backslashes (RFC 8259, 7, and the string literals of other languages), HTML,
// quoted-printable (RFC 2045, 6.7), and characters that look like ASCII.
var kinds = []kind{percent, backslash, entity, quoted, alike}

func percent(b []byte) (rune, int) {
	switch {
	case len(b) > 5 && b[0] == '%' && b[1] == 'u':
		return hexadecimal(b[2:6], 2)
	case len(b) > 2 && b[0] == '%':
		return hexadecimal(b[1:3], 1)
	}
	return 0, 0
}

func quoted(b []byte) (rune, int) {
	if len(b) > 2 && b[0] == '=' {
		return hexadecimal(b[1:3], 1)
	}
	return 0, 0
}

// hexadecimal reads digits that stand behind so many bytes.
func hexadecimal(digits []byte, before int) (rune, int) {
	n, err := strconv.ParseUint(string(digits), 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(n), before + len(digits)
}

// numbered are the backslash escapes of fixed length, the longest first: that of
// other languages for \U0001F331, \u0041 and \x41.
var numbered = []struct {
	begins string
	digits int
}{{`\u0000`, 8}, {`\u`, 4}, {`\x`, 2}}

func backslash(b []byte) (rune, int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	if r, n := braced(b); n > 0 {
		return r, n
	}
	for _, e := range numbered {
		if end := 2 + e.digits; len(b) >= end && string(b[:len(e.begins)]) == e.begins {
			if r, n := hexadecimal(b[2:end], 2); n > 0 {
				return r, n
			}
		}
	}
	if b[1] >= '0' && b[1] <= '3' && len(b) > 3 {
		if n, err := strconv.ParseUint(string(b[1:4]), 8, 8); err == nil {
			return rune(n), 4
		}
	}
	if c := b[1]; c < utf8.RuneSelf && !isLetter(c) {
		return rune(c), 2
	}
	return 0, 0
}

// braced reads \u{41}.
func braced(b []byte) (rune, int) {
	if b[1] != 'u' || len(b) < 4 || b[2] != '{' {
		return 0, 0
	}
	end := bytes.IndexByte(b[:min(len(b), 12)], '}')
	if end < 4 {
		return 0, 0
	}
	if r, _ := hexadecimal(b[3:end], 3); r != 0 {
		return r, end + 1
	}
	return 0, 0
}

// longestEntity bounds the name of a character in HTML.
const longestEntity = 34

func entity(b []byte) (rune, int) {
	if len(b) < 4 || b[0] != '&' {
		return 0, 0
	}
	if b[1] == '#' {
		base, from := 10, 2
		if b[2] == 'x' {
			base, from = 16, 3
		}
		to := from
		for to < len(b) && to < from+8 && (b[to] >= '0' && b[to] <= '9' || base == 16 && b[to] >= 'a' && b[to] <= 'f') {
			to++
		}
		n, err := strconv.ParseUint(string(b[from:to]), base, 21)
		if err != nil {
			return 0, 0
		}
		if to < len(b) && b[to] == ';' {
			to++
		}
		return rune(n), to
	}
	end := bytes.IndexByte(b[:min(len(b), longestEntity)], ';')
	if end < 0 {
		return 0, 0
	}
	if t := html.UnescapeString(string(b[:end+1])); len(t) == 1 {
		return rune(t[0]), end + 1
	}
	return 0, 0
}

// alike reads the full-width forms of ASCII, and the two characters that fold
// to ASCII letters.
func alike(b []byte) (rune, int) {
	if b[0] < utf8.RuneSelf {
		return 0, 0
	}
	switch c, n := utf8.DecodeRune(b); {
	case c >= '！' && c <= '～':
		return c - '！' + '!', n
	case c == '\u017f':
		return 's', n
	case c == '\u212a':
		return 'k', n
	}
	return 0, 0
}

// decoded gives a view without the escapes of some kinds, one layer of them,
// and whether there were any.
func (v view) decoded(list ...kind) (view, bool) {
	out := view{text: make([]byte, 0, len(v.text)), from: make([]int, 0, len(v.text)), to: make([]int, 0, len(v.text))}
	changed := false
next:
	for i := 0; i < len(v.text); {
		if c := v.text[i]; c == '%' || c == '\\' || c == '&' || c == '=' || c >= utf8.RuneSelf {
			for _, k := range list {
				r, n := k(v.text[i:])
				if n == 0 {
					continue
				}
				changed = true
				for _, c := range fold(utf8.AppendRune(nil, r)) {
					out.text = append(out.text, c)
					out.from, out.to = append(out.from, v.from[i]), append(out.to, v.to[i+n-1])
				}
				i += n
				continue next
			}
		}
		out.text = append(out.text, v.text[i])
		out.from, out.to = append(out.from, v.from[i]), append(out.to, v.to[i])
		i++
	}
	return out, changed
}
