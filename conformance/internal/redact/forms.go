package redact

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
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
		if text = strings.ToLower(text); len(text) >= least && !slices.ContainsFunc(out, func(f form) bool { return f.text == text }) {
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
