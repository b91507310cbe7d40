package loose

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	strictWord   = regexp.MustCompile(`^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)$`)
	numberPrefix = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)
	bareExponent = regexp.MustCompile(`^(-?[0-9]+(\.[0-9]+)?)[eE][-+]?$`)
	digitsApart  = regexp.MustCompile(`^-?[0-9]+(_[0-9]+)+$`)
	zeros        = regexp.MustCompile(`^(-?)0+([0-9].*)$`)
	hex          = regexp.MustCompile(`^-?0[xX][0-9a-fA-F]{1,15}$`)
)

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
	switch {
	case strictWord.MatchString(word):
		return word, true
	case s.may(NaN) && (word == "NaN" || strings.TrimPrefix(word, "-") == "Infinity"):
		return "0", true
	case s.may(Plus) && strings.HasPrefix(word, "+"):
		return s.number(word[1:])
	case s.may(TrailingDot) && strings.HasSuffix(word, "."):
		return s.number(word[:len(word)-1])
	case s.may(LeadingZeros) && zeros.MatchString(word):
		return s.number(zeros.ReplaceAllString(word, "$1$2"))
	case s.may(Underscores) && digitsApart.MatchString(word):
		return s.number(strings.ReplaceAll(word, "_", ""))
	case s.may(BareExponent) && bareExponent.MatchString(word):
		return s.number(bareExponent.ReplaceAllString(word, "$1"))
	case s.may(Hex) && hex.MatchString(word):
		v, err := strconv.ParseInt(word, 0, 64)
		return strconv.FormatInt(v, 10), err == nil
	case s.may(NumberSuffix) && numberPrefix.MatchString(word):
		return numberPrefix.FindString(word), true
	case s.may(BareStrings) && word != "" && !strings.ContainsAny(word[:1], "-+.0123456789"):
		return `"` + word + `"`, true
	}
	return "", false
}

func (s *scanner) number(word string) (string, bool) {
	return word, strictWord.MatchString(word) && word != "true" && word != "false" && word != "null"
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
