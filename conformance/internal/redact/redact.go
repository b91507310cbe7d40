// Package redact takes credentials out of what is shown. A target may send back
// what it was sent, in whatever form: whole or in parts, escaped, encoded, in
// another case, backwards. Everything that came from a target passes through
// here before it is cut to length and becomes text of a report.
package redact

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Secret is a value that must not be shown, and what is shown for it.
type Secret struct{ Value, Shown string }

// Safely is the length in characters from which a secret can be redacted
// safely: shorter ones also stand in innocent words, and their parts are not
// looked for. Those of letters alone are looked for as whole words.
const Safely = 8

// minimum is the length from which a short secret with a digit or a sign is looked for in all words.
const minimum = 4

// Redactor knows some secrets. Many may use one at the same time. The zero value
// knows none.
type Redactor struct {
	now *atomic.Pointer[known]
	own []Secret // short ones that And added
}

// known is what a redactor looks for. It is only read.
type known struct {
	secrets []Secret
	words   *search // secrets as they are
	letters *search // their letters and digits
	short   []Secret
}

// New makes a redactor. Empty values are passed over.
func New(list ...Secret) *Redactor {
	r := &Redactor{now: new(atomic.Pointer[known])}
	r.now.Store(learn(list))
	return r
}

// Learn adds secrets, for all who use the redactor and those made from it by And. It
// is not called concurrently with itself.
func (r *Redactor) Learn(list ...Secret) {
	r.now.Store(learn(append(slices.Clone(r.known().secrets), list...)))
}

func (r *Redactor) known() *known {
	if r == nil || r.now == nil {
		return &known{}
	}
	return r.now.Load()
}

func learn(list []Secret) *known {
	r := &known{words: &search{}, letters: &search{}}
	for _, s := range list {
		switch {
		case s.Value == "":
			continue
		case len(s.Value) < minimum:
			r.short = append(r.short, s)
		}
		r.secrets = append(r.secrets, s)
	}
	for i, s := range r.secrets {
		for _, f := range forms(s.Value) {
			r.words.add(f, i)
			if f.part < len(f.text) { // the letters of short ones are anybody's
				f.text = onlyLetters(f.text)
				r.letters.add(f, i)
			}
		}
	}
	return r
}

// Longest is the length of the longest secret in bytes.
func (r *Redactor) Longest() int {
	n := 0
	for _, s := range r.known().secrets {
		n = max(n, len(s.Value))
	}
	return n
}

// Bytes gives what a target sent without the secrets. Cut tells that b goes on
// behind its end: the beginning of a secret is then taken out there too.
func (r *Redactor) Bytes(b []byte, cut bool) []byte {
	if len(r.known().secrets) == 0 || len(b) == 0 {
		return b
	}
	return r.unencoded(r.unpacked(b), cut)
}

// unencoded is Bytes for text that is not packed.
func (r *Redactor) unencoded(b []byte, cut bool) []byte {
	known := r.known()
	found := marks{}
	ends := ending{minimum: cutMin, last: cut}
	for _, v := range views(b) {
		known.words.in(v.view, ends, &found)
		if !v.exact {
			known.letters.in(v.view.letters(), ends, &found)
			known.letters.in(v.view.values().letters(), ends, &found)
		}
	}
	b = found.replace(b, known.secrets)
	for _, s := range slices.Concat(known.short, r.own) {
		b = replaceWord(b, s.Value, s.Shown, besideLetters)
	}
	return b
}

// Text gives a text that was made of what a target sent. Where it was cut to
// length, by an ellipsis, the beginning of a secret is taken out too.
func (r *Redactor) Text(s string) string { return string(r.Bytes([]byte(s), false)) }

// Own gives what this suite made itself without the secrets: whole ones alone,
// letter by letter, so that a wrong credential stays what it is.
func (r *Redactor) Own(b []byte) []byte {
	for _, s := range r.known().secrets {
		switch {
		case ordinary(s.Value) && len(s.Value) >= minimum:
			all := b
			b = replaceWord(b, s.Value, s.Shown, func(text []byte, from, to int) bool {
				return inWord(text, from, to) || string(all[from:to]) != s.Value
			})
		case len(s.Value) >= minimum:
			b = bytes.ReplaceAll(b, []byte(s.Value), []byte(s.Shown))
		}
	}
	return b
}

// And gives a redactor that also knows values which are looked for as whole
// words only, such as the first characters of a token.
func (r *Redactor) And(list ...Secret) *Redactor {
	if r == nil {
		return nil
	}
	out := *r
	out.own = slices.Clone(r.own)
	for _, s := range list {
		if strings.TrimSpace(s.Value) != "" {
			out.own = append(out.own, s)
		}
	}
	return &out
}

// besideLetters reports whether a letter or digit at an end of a value has another beside it.
func besideLetters(text []byte, from, to int) bool {
	return from > 0 && isLetter(text[from-1]) && isLetter(text[from]) || to < len(text) && isLetter(text[to]) && isLetter(text[to-1])
}

// replaceWord replaces a value where it is no part of a longer word.
func replaceWord(b []byte, value, shown string, part func(text []byte, from, to int) bool) []byte {
	var out []byte
	rest, from := fold(b), 0
	want := fold([]byte(value))
	for at := 0; ; {
		i := bytes.Index(rest[at:], want)
		if i < 0 {
			break
		}
		i += at
		end := i + len(want)
		if part(rest, i, end) {
			at = i + 1
			continue
		}
		out = append(append(out, b[from:i]...), shown...)
		from, at = end, end
	}
	if from == 0 {
		return b
	}
	return append(out, b[from:]...)
}

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
