package redact

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// view is a reading of some bytes: each byte of text, in small letters, stands
// for the bytes from[i] to to[i] of the source.
type view struct {
	text     []byte
	from, to []int
}

// reading is a view, and whether a later one holds all that its letters do.
type reading struct {
	view  view
	exact bool
}

// rounds is how many layers of escapes are undone.
const rounds = 4

// views reads bytes as they are, and without escapes: each kind by itself, then
// all kinds, layer by layer.
func views(b []byte) []reading {
	as := source(b)
	out := []reading{{view: as}}
	if !bytes.ContainsAny(b, `%\&=`) && !odd(b) {
		return append(out, reading{as.compact(), true})
	}
	for _, one := range kinds {
		if v, changed := as.decoded(one); changed {
			out = append(out, reading{v, true})
		}
	}
	v := as
	for range rounds {
		next, changed := v.decoded(kinds...)
		if !changed {
			break
		}
		v = next
		out = append(out, reading{view: v})
	}
	return append(out, reading{v.compact(), true}, reading{as.compact(), true})
}

// odd reports whether bytes have characters that look like ASCII or like nothing.
func odd(b []byte) bool {
	return bytes.ContainsFunc(b, func(c rune) bool { return c >= utf8.RuneSelf })
}

func source(b []byte) view {
	v := view{text: fold(b), from: make([]int, len(b)), to: make([]int, len(b))}
	for i := range b {
		v.from[i], v.to[i] = i, i+1
	}
	return v
}

// compact leaves out blanks, control characters and what nobody sees, such as
// the NUL bytes of UTF-16.
func (v view) compact() view {
	return v.keep(func(at int) (int, bool) {
		if c := v.text[at]; c < utf8.RuneSelf {
			return 1, c > ' ' && c != 0x7f
		}
		c, n := utf8.DecodeRune(v.text[at:])
		unseen := unicode.In(c, unicode.Cf, unicode.Mn, unicode.Me, unicode.White_Space, unicode.Other_Default_Ignorable_Code_Point)
		return n, !unseen && !(c == utf8.RuneError && n == 1)
	})
}

// letters leaves out all but ASCII letters and digits.
func (v view) letters() view {
	return v.keep(func(at int) (int, bool) { return 1, isLetter(v.text[at]) })
}

// values leaves out names before a colon or an equals sign, so that a value
// which is parted over several fields or members stands together.
func (v view) values() view {
	name := make([]bool, len(v.text))
	for i, c := range v.text {
		if c != ':' && c != '=' {
			continue
		}
		at := i - 1
		for at >= 0 && bytes.IndexByte([]byte(` "'\`), v.text[at]) >= 0 {
			at--
		}
		for ; at >= 0 && i-at < longestName && (isLetter(v.text[at]) || v.text[at] == '-' || v.text[at] == '_'); at-- {
			name[at] = true
		}
	}
	return v.keep(func(at int) (int, bool) { return 1, !name[at] })
}

// longestName bounds what is taken for the name of a field.
const longestName = 64

// keep makes a view of the pieces that a function keeps; it gives the length of
// the piece at a place.
func (v view) keep(piece func(at int) (n int, kept bool)) view {
	out := view{text: make([]byte, 0, len(v.text)), from: make([]int, 0, len(v.text)), to: make([]int, 0, len(v.text))}
	for i := 0; i < len(v.text); {
		n, kept := piece(i)
		if kept {
			out.text = append(out.text, v.text[i:i+n]...)
			out.from = append(out.from, v.from[i:i+n]...)
			out.to = append(out.to, v.to[i:i+n]...)
		}
		i += n
	}
	return out
}
