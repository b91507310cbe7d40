package loose

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	strictWord   = regexp.MustCompile(`^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)$`)
	strictNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	bareString   = regexp.MustCompile(`^[^-+.0-9]`)
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
	if strictWord.MatchString(word) {
		return word, true
	}
	for _, n := range numbers {
		if s.may(n.allow) && n.fits.MatchString(word) {
			number := n.write(n.fits, word)
			return number, strictNumber.MatchString(number)
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
