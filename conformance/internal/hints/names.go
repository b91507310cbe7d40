package hints

import (
	"slices"
	"strings"
	"unicode"
)

// Words splits a name into words in lower case: billingCountryCode and billing_country_code
// are billing, country and code.
func Words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out, word = append(out, string(word)), nil
		}
	}
	list := []rune(name)
	for i, c := range list {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
			continue
		case unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(list[i-1]) || i+1 < len(list) && unicode.IsLower(list[i+1])):
			end()
		}
		word = append(word, unicode.ToLower(c))
	}
	end()
	return out
}

// isNamed reports whether the last words of a name are one of some names, also in the plural.
func isNamed(name string, names []string) bool {
	list := Words(name)
	for i := range list {
		tail := strings.Join(list[i:], "")
		one, _ := strings.CutSuffix(tail, "s")
		if slices.Contains(names, tail) || slices.Contains(names, one) {
			return true
		}
	}
	return false
}

// past are words that occur in the names of dates in the past.
func past() []string {
	return []string{"born", "birth", "occurred", "happened", "recorded", "measured", "observed", "purchased", "purchase", "bought", "paid", "hired", "joined",
		"founded", "built", "manufactured", "received", "taken", "performed", "completed", "registered", "last", "since", "incident", "reported", "admitted"}
}

// Past reports whether the name of a date tells that it lies in the past.
func Past(name string) bool {
	return slices.ContainsFunc(Words(name), func(word string) bool { return slices.Contains(past(), word) })
}
