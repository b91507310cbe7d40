package schema

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"

	"plantstore/conformance/internal/pattern"
)

// settled are the characters that every implementation in use knows: those of
// Unicode 9.0 (2016). Whether a later one is a letter depends on the version of the
// library that reads it.
var settled = rangetable.Assigned("9.0.0")

// Settled reports whether every implementation in use knows the character.
func Settled(c rune) bool { return unicode.Is(settled, c) }

// text records what keeps a valid string from being must-accept or baseline. A
// must-accept string fits into every store and language: 1 to 64 visible characters
// of Unicode 9.0, with spaces only inside.
func (p *plainness) text(s *Schema, text, path string) {
	if s.Code != nil && !p.given.Unguessed {
		if !s.Code.Valid(text) {
			p.r.mayRefuse(path, "no "+s.Code.String())
		}
		return
	}
	stated := s.Pattern != "" || s.Format != ""
	if !stated && !BaselineText(text) || len(text) > 2*baselineLength {
		p.r.unusual(path)
	}
	if !takenIn(s.Format, text) {
		p.r.mayRefuse(path, "unusual "+s.Format)
	}
	if s.Pattern != "" && p.zero(s.Pattern, text) {
		p.r.mayRefuse(path, "zero as a text")
	}
	d := p.s.Domains[path]
	minimum, maximum := 1, mustAcceptLength
	if s.MinLength != nil && *s.MinLength == 0 {
		minimum = 0
	}
	if s.MaxLength != nil && *s.MaxLength > maximum {
		maximum = min(*s.MaxLength, 4*mustAcceptLength)
	}
	if d.MinLength > 0 {
		minimum = d.MinLength
	}
	if d.MaxLength > 0 {
		maximum = d.MaxLength
	}
	n := utf8.RuneCountInString(text)
	switch {
	case n < minimum && text == "":
		p.r.mayRefuse(path, "empty string")
	case n < minimum:
		p.r.mayRefuse(path, "short string")
	case n > max(maximum, 4*mustAcceptLength-1):
		p.r.mayRefuse(path, "very long string")
	case n > maximum:
		p.r.mayRefuse(path, "long string")
	}
	if text != "" && strings.TrimSpace(text) == "" {
		p.r.mayRefuse(path, "blank string")
	} else if text != strings.TrimSpace(text) {
		p.r.mayRefuse(path, "white space at an end")
	}
	if what := unusual(text); what != "" {
		p.r.mayRefuse(path, what)
	}
}

// zero reports whether a text is a zero where the pattern allows other numbers: a server
// may refuse an amount of 0.00.
func (p *plainness) zero(expression, text string) bool {
	if !IsZero(text) {
		return false
	}
	re := p.s.Pattern(expression)
	return re != nil && re.Match(strings.ReplaceAll(text, "0", "1")) == pattern.Yes
}

// IsZero reports whether a text is a zero without a sign, such as 0.00.
func IsZero(text string) bool {
	return strings.Contains(text, "0") && strings.Trim(text, "0.,") == ""
}

// unusual describes the first character that some stores refuse.
func unusual(text string) string {
	for i, c := range text {
		switch {
		case c >= ' ' && c < 0x7F:
		case c == 0:
			return "NUL"
		case unicode.Is(unicode.Cc, c):
			return "control character"
		case c == utf8.RuneError && text[i] == 0xED:
			return "lone surrogate"
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			return "invalid UTF-8"
		case unicode.IsSpace(c) || unicode.Is(unicode.Z, c):
			return "white space other than a blank"
		case unicode.Is(unicode.Cf, c):
			return "format character"
		case i == 0 && unicode.Is(unicode.M, c):
			return "combining mark first"
		case !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S):
			return "unassigned or private character"
		case !Settled(c):
			return "character newer than Unicode 9.0"
		}
	}
	return ""
}

// BaselineText reports whether no implementation can misread a text: a few ASCII
// letters and digits, first a letter, and at least one digit, so that it is no
// ordinary word.
func BaselineText(text string) bool {
	if len(text) > baselineLength || !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
