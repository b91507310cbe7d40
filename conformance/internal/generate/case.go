package generate

import (
	"strings"
	"unicode"
)

// OtherCase gives each ASCII letter of a text the other case.
func OtherCase(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= unicode.MaxASCII:
			return c
		case unicode.IsUpper(c):
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, text)
}
