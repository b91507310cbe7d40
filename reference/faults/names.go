package faults

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const nameAccepted = "newplant-name-accepted"

type plant = reference.Plant

// anyRune says whether a text has a rune that which picks.
func anyRune(which func(rune) bool) func(string) bool {
	return func(text string) bool { return strings.IndexFunc(text, which) >= 0 }
}

// holds says whether a text has one of some characters.
func holds(characters string) func(string) bool {
	return func(text string) bool { return strings.ContainsAny(text, characters) }
}

func beyondBMP(r rune) bool { return r > 0xffff }

// nameRefused refuses valid names.
func nameRefused() []Fault {
	without := func(name, doc string, rare bool, refused func(string) bool) Fault {
		return Fault{Name: name, Breaks: nameAccepted, Doc: doc, Rare: rare, alter: alter.Decoded(func(p plant) error {
			if refused(p.Name) {
				return alter.Bad("/name", "is not allowed")
			}
			return nil
		})}
	}
	identifier := regexp.MustCompile(`^[\pL_][\pL\pM\pN _-]*$`)
	numeric := regexp.MustCompile(`^[-+]?[0-9.]+$`)
	return []Fault{
		without("name-at-most-20", "refuses names above 20 characters, as VARCHAR(20) does", false,
			func(n string) bool { return utf8.RuneCountInString(n) > 20 }),
		without("name-at-most-50", "refuses names above 50 characters, as VARCHAR(50) does", false,
			func(n string) bool { return utf8.RuneCountInString(n) > 50 }),
		without("name-below-64", "refuses names of exactly 64 characters, because the limit is compared with <", true,
			func(n string) bool { return utf8.RuneCountInString(n) == 64 }),
		without("name-64-bytes", "refuses names above 64 bytes, because the limit counts bytes for characters", true,
			func(n string) bool { return len(n) > 64 && utf8.RuneCountInString(n) <= 64 }),
		without("name-64-units", "refuses names above 64 UTF-16 units, as Java and JavaScript count", true,
			func(n string) bool { return len(utf16.Encode([]rune(n))) > 64 && utf8.RuneCountInString(n) <= 64 }),
		without("name-at-least-two", "refuses names of one character", true,
			func(n string) bool { return utf8.RuneCountInString(n) == 1 }),
		without("name-ascii-only", "refuses names beyond ASCII", false, anyRune(func(r rune) bool { return r > 0x7f })),
		without("name-latin1-only", "refuses names beyond Latin-1, as a column in latin1 does in strict mode", false,
			anyRune(func(r rune) bool { return r > 0xff })),
		without("name-no-astral", "refuses characters above U+FFFF, as MySQL's utf8 does in strict mode", false, anyRune(beyondBMP)),
		without("name-words-only", "refuses punctuation in names, as a check with a pattern for words does", false,
			func(n string) bool { return n != "" && !identifier.MatchString(n) && !numeric.MatchString(n) }),
		without("name-not-numeric", "refuses names that are numbers", true, numeric.MatchString),
		without("name-no-quotes", "refuses quotation marks in names, to keep SQL injection out", true, holds(`'"`)),
		without("name-no-markup", "refuses < and > in names, as web application firewalls do", true, holds("<>")),
		without("name-no-backslash", "refuses backslashes in names", true, holds(`\`)),
		without("name-no-slash", "refuses slashes in names, because they become paths", true, holds("/")),
		without("name-no-percent", "refuses per cent signs in names, because it decodes them", true, holds("%")),
		without("name-no-marks", "refuses combining marks in names, as patterns of letters without marks do", true,
			anyRune(func(r rune) bool { return unicode.Is(unicode.M, r) })),
		without("name-composed-only", "refuses names that are not in normal form C", true,
			func(n string) bool { return utf8.ValidString(n) && !norm.NFC.IsNormalString(n) }),
		without("name-no-right-to-left", "refuses Hebrew and Arabic letters, to keep look-alikes out", true,
			anyRune(func(r rune) bool { return unicode.In(r, unicode.Hebrew, unicode.Arabic) })),
		without("name-reserved-words", "refuses the names null, undefined, true and false", true,
			func(n string) bool { return slices.Contains([]string{"null", "undefined", "true", "false"}, n) }),
		without("name-not-proto", "refuses __proto__ and constructor, to keep prototype pollution out", true,
			func(n string) bool { return n == "__proto__" || n == "constructor" }),
		without("name-no-two-blanks", "refuses two blanks in a row", true,
			func(n string) bool { return strings.Contains(strings.TrimSpace(n), "  ") }),
	}
}
