package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// form is one way to write a secret. Any piece of it of so many bytes gives the
// secret away.
type form struct {
	text string
	part int
	// whole says that it stands in innocent words, too, and is looked for between them.
	whole bool
}

// forms lists the ways to write a secret that no decoding undoes: encoded, in
// base64 at each of the three places in a group (RFC 4648, 4 and 5), and
// backwards. Letters are small: all are compared so.
func forms(secret string) []form {
	part := partOf(secret)
	var out []form
	add := func(text string, part int) {
		if text = strings.ToLower(text); len(text) >= minimum && !slices.ContainsFunc(out, func(f form) bool { return f.text == text }) {
			out = append(out, form{text: text, part: min(part, len(text))})
		}
	}
	add(secret, part)
	add(reversed(secret), part)
	for i := range out {
		out[i].whole = ordinary(secret)
	}
	add(hex.EncodeToString([]byte(secret)), 2*part)
	add(decimal(secret), 3*part)
	for _, of := range inner(secret) {
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for _, t := range inGroups(e, of) {
				add(t, max((4*part+2)/3-1, 6))
			}
		}
	}
	if user, password, found := strings.Cut(secret, ":"); found && user != "" {
		out = append(out, forms(password)...)
	}
	if plain, err := base64.StdEncoding.DecodeString(secret); err == nil && len(plain) >= Safely && printable(plain) {
		out = append(out, forms(string(plain))...)
	}
	return out
}

// inner are the values that may be encoded: the secret, and backwards.
func inner(secret string) []string { return []string{secret, reversed(secret)} }

// partOf is how long a part of a secret must be to be taken out: the whole of a
// short one.
func partOf(secret string) int {
	if len(secret) < Safely {
		return len(secret)
	}
	return min(max(len(secret)/2, 6), 8)
}

// ordinary reports whether a secret may be a part of any word: it is short, and has letters alone.
func ordinary(secret string) bool {
	return len(secret) < Safely && !strings.ContainsFunc(secret, func(c rune) bool { return c|0x20 < 'a' || c|0x20 > 'z' })
}

// inWord reports whether what stands at a place of a folded text is a part of a longer word, such as
// the name of a table.
func inWord(text []byte, from, to int) bool {
	word := func(at int) bool {
		return at >= 0 && at < len(text) && (isLetter(text[at]) || text[at] == '_' || text[at] == '-' || text[at] >= utf8.RuneSelf)
	}
	return word(from-1) || word(to)
}

// inGroups writes a text in base64 as it stands at each place in a group of
// three bytes, without the characters that depend on its neighbours.
func inGroups(e *base64.Encoding, text string) []string {
	var out []string
	for before := range 3 {
		all := e.EncodeToString([]byte("\x00\x00\x00"[:before] + text))
		from := (before*8 + 5) / 6
		to := (before + len(text)) * 8 / 6
		if from < to {
			out = append(out, all[from:to])
		}
	}
	return append(out, e.EncodeToString([]byte(text)))
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// decimal writes the bytes of a text as numbers, without what stands between.
func decimal(s string) string {
	var out []byte
	for i := range len(s) {
		out = strconv.AppendInt(out, int64(s[i]), 10)
	}
	return string(out)
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

func onlyLetters(s string) string {
	var out []byte
	for i := range len(s) {
		if isLetter(s[i]) {
			out = append(out, s[i])
		}
	}
	return string(out)
}

func fold(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		out[i] = c
	}
	return out
}

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
