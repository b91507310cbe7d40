package checks

import (
	"math/big"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

// like is a way to make a key that is like one that an answer gave.
type keyLike struct {
	name string
	// fits reports whether keys of a schema can be changed in this way.
	fits func(s *openapi.Schema) bool
	// of returns the other key. It is empty, or the same, for a key that cannot be changed in
	// this way.
	of func(key string) string
	// invalid says that only a key which the schema does not allow shows a fault.
	invalid bool
	// writes says that operations that change things are tried in this way too.
	writes bool
}

// likes lists the ways. Left out is what some servers rightly take for the same key: blanks
// and line ends around it, +5, 05, 5.0, 5e0, 5_0, 0x5, and what is behind a semicolon.
func likes() []keyLike {
	return []keyLike{
		{"letters-behind", integers, tail("abc"), true, true},
		{"fraction", integers, tail(".7"), true, false},
		{"twice", integers, twice, true, false},
		{"past-32-bits", integers, changeNumber(plus(32)), false, false},
		{"past-64-bits", integers, changeNumber(plus(64)), false, false},
		{"text-behind", texts, behindText, false, true},
		{"last-letter", texts, lastLetter, false, false},
		{"text-twice", bounded, twice, true, false},
		{"other-case", bounded, generate.OtherCase, true, true},
	}
}

func integers(s *openapi.Schema) bool {
	return unrestricted(s) && slices.Equal(s.Types, []string{"integer"})
}

func texts(s *openapi.Schema) bool {
	return unrestricted(s) && slices.Equal(s.Types, []string{"string"})
}

// bounded texts have a pattern, which says what is a key. The letters of a UUID have no case
// (RFC 9562, 4), whatever a pattern says.
func bounded(s *openapi.Schema) bool {
	return texts(s) && s.Pattern != "" && !strings.EqualFold(s.Format, "uuid")
}

// unrestricted reports whether the schema of a key lists no values and has no alternatives.
func unrestricted(s *openapi.Schema) bool {
	return s.Enum == nil && s.Const == nil && len(s.AnyOf)+len(s.OneOf) == 0
}

func tail(text string) func(string) string {
	return func(key string) string { return key + text }
}

func twice(key string) string { return key + "," + key }

// counted changes a key that is a number from 1 up.
func changeNumber(change func(n *big.Int) string) func(string) string {
	return func(key string) string {
		n, ok := new(big.Int).SetString(key, 10)
		if !ok || n.Sign() <= 0 {
			return ""
		}
		return change(n)
	}
}

// plus adds a power of two: an integer of so many bits stays the same.
func plus(bits uint) func(*big.Int) string {
	return func(n *big.Int) string { return n.Add(n, new(big.Int).Lsh(big.NewInt(1), bits)).String() }
}

// behindText adds four letters: whole bytes, should the text be a code of base 64. With its
// padding, or behind nothing but digits, some libraries pass over what follows.
func behindText(key string) string {
	if strings.HasSuffix(key, "=") || !strings.ContainsFunc(key, func(c rune) bool { return c < '0' || c > '9' }) {
		return ""
	}
	return key + "wxyz"
}

// lastLetter changes the last letter of a long text, unless that could be a code whose last
// bits mean nothing, or a number that counts.
func lastLetter(key string) string {
	const long = 16
	if len(key) < long || strings.ContainsFunc(key, unicode.IsUpper) && strings.ContainsFunc(key, unicode.IsLower) {
		return ""
	}
	const letters = "abcdefABCDEF"
	at := strings.LastIndexAny(key, letters)
	if at < len(key)-4 || at < 0 {
		return ""
	}
	i := strings.IndexByte(letters, key[at])
	next := letters[i/6*6+(i%6+1)%6]
	return key[:at] + string(next) + key[at+1:]
}
