// Package redact takes credentials out of what is shown. A target may send back
// what it was sent, in whatever form: whole or in parts, escaped, encoded, in
// another case, backwards. Everything that came from a target passes through
// here before it is cut to length and becomes text of a report.
package redact

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
)

// Secret is a value that must not be shown, and what is shown for it.
type Secret struct{ Value, Shown string }

// Safely is the length in characters from which a secret can be redacted
// safely: shorter ones also stand in innocent words, and their parts are not
// looked for. Those of letters alone are looked for as whole words.
const Safely = 8

// least is the length from which a short secret with a digit or a sign is looked for in all words.
const least = 4

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
		case len(s.Value) < least:
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
	ends := ending{least: cutLeast, last: cut}
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
		case ordinary(s.Value) && len(s.Value) >= least:
			all := b
			b = replaceWord(b, s.Value, s.Shown, func(text []byte, from, to int) bool {
				return inWord(text, from, to) || string(all[from:to]) != s.Value
			})
		case len(s.Value) >= least:
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
