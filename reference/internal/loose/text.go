package loose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// text copies a string literal, turning what strict JSON has no form for into
// escapes.
func (s *scanner) text(quote byte) error {
	s.pos++
	s.out = append(s.out, '"')
	for {
		if s.ended() {
			if !s.may(OpenString) {
				return errStrict
			}
			break
		}
		c := s.in[s.pos]
		switch {
		case c == quote:
			s.pos++
			s.out = append(s.out, '"')
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
			continue
		case c == '"':
			s.out = append(s.out, '\\', '"')
		case c < 0x20 && !s.may(ControlCharacters) && !(c == '\t' && s.may(Tab)):
			return errStrict
		case c < 0x20:
			s.out = fmt.Appendf(s.out, `\u%04x`, c)
		default:
			s.out = append(s.out, c)
		}
		s.pos++
	}
	s.out = append(s.out, '"')
	return nil
}

// escape copies one escape sequence.
func (s *scanner) escape() error {
	rest := s.in[s.pos+1:]
	if len(rest) == 0 {
		return errStrict
	}
	c := rest[0]
	switch {
	case c == 'u' && hexLength(rest[1:]) >= 4:
		return s.copyEscape(rest[:5], 5)
	case c == '"', c == '\\', c == '/', c == 'b', c == 'f', c == 'n', c == 'r', c == 't':
		return s.copyEscape(rest[:1], 1)
	case c == '\'' && s.may(SingleQuotes|AnyEscape):
		s.out = append(s.out, '\'')
		s.pos += 2
		return nil
	case c == 'x' && hexLength(rest[1:]) >= 2 && s.may(HexEscape):
		return s.copyEscape([]byte("u00"+string(rest[1:3])), 3)
	case c == '\n' && s.may(EscapedNewline):
		s.pos += 2
		return nil
	case s.may(AnyEscape) && c >= 0x20 && c != 'u':
		_, n := utf8.DecodeRune(rest)
		s.out = append(s.out, rest[:n]...)
		s.pos += 1 + n
		return nil
	}
	return errStrict
}

// copyEscape writes a backslash and the sequence, which took n bytes behind
// the backslash.
func (s *scanner) copyEscape(sequence []byte, n int) error {
	s.out = append(append(s.out, '\\'), sequence...)
	s.pos += 1 + n
	return nil
}

func (s *scanner) quote(word []byte) {
	s.out = append(append(append(s.out, '"'), word...), '"')
}

func hexLength(b []byte) int {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n]|0x20 >= 'a' && b[n]|0x20 <= 'f') {
		n++
	}
	return n
}

var (
	literal    = regexp.MustCompile(`^(true|false|null)$`)
	bareString = regexp.MustCompile(`^[^-+.0-9]`)
)

// numbers are the words that are read as numbers, and the number for each. The first
// match decides.
var numbers = []struct {
	allow Allow
	fits  *regexp.Regexp
	write func(fits *regexp.Regexp, word string) string
}{
	{NaN, regexp.MustCompile(`^(NaN|-?Infinity)$`), as("0")},
	{Plus, regexp.MustCompile(`^\+`), as("")},
	{TrailingDot, regexp.MustCompile(`\.$`), as("")},
	{LeadingZeros, regexp.MustCompile(`^(-?)0+([0-9].*)$`), as("$1$2")},
	{Underscores, regexp.MustCompile(`^-?[0-9]+(_[0-9]+)+$`), joined},
	{BareExponent, regexp.MustCompile(`^(-?[0-9]+(\.[0-9]+)?)[eE][-+]?$`), as("$1")},
	{Hex, regexp.MustCompile(`^-?0[xX][0-9a-fA-F]{1,15}$`), decimal},
	{NumberSuffix, regexp.MustCompile(`^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?).*`), as("$1")},
}

// as replaces what fits.
func as(replacement string) func(*regexp.Regexp, string) string {
	return func(fits *regexp.Regexp, word string) string { return fits.ReplaceAllString(word, replacement) }
}

func joined(_ *regexp.Regexp, word string) string { return strings.ReplaceAll(word, "_", "") }

func decimal(_ *regexp.Regexp, word string) string {
	v, _ := strconv.ParseInt(word, 0, 64) // 15 digits always fit
	return strconv.FormatInt(v, 10)
}

// word copies a literal or a number, or what is taken for one.
func (s *scanner) word() error {
	n := wordLength(s.in[s.pos:])
	word, ok := s.strict(string(s.in[s.pos : s.pos+n]))
	if !ok {
		return errStrict
	}
	s.pos += n
	s.out = append(s.out, word...)
	return nil
}

// strict gives the strict form of a bare word.
func (s *scanner) strict(word string) (string, bool) {
	if literal.MatchString(word) || kit.JSONNumber.MatchString(word) {
		return word, true
	}
	for _, n := range numbers {
		if s.may(n.allow) && n.fits.MatchString(word) {
			number := n.write(n.fits, word)
			return number, kit.JSONNumber.MatchString(number)
		}
	}
	return `"` + word + `"`, s.may(BareStrings) && bareString.MatchString(word)
}

// wordLength counts the bytes of names, literals and numbers.
func wordLength(b []byte) int {
	n := 0
	for n < len(b) {
		c := b[n]
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("+-._$", c) >= 0 {
			n++
			continue
		}
		break
	}
	return n
}
