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

const (
	nameString  = "newplant-name-string"
	tagString   = "newplant-tag-string"
	tagAccepted = "newplant-tag-accepted"
	tagOptional = "newplant-tag-optional"
)

var number = regexp.MustCompile(`^-?[0-9]`)

// kindOf reads the values of a member whose text starts with one of some
// characters as another value.
func kindOf(member, starts string, read func(value string) string) alter.Change {
	return alter.Value(member, func(v string) string {
		for i := range len(starts) {
			if v[0] == starts[i] {
				return read(v)
			}
		}
		return v
	})
}

func numbers(member string) alter.Change { return kindOf(member, "-0123456789", alter.Quote) }

// texts takes names and tags that are not strings, and refuses tags.
func texts() []Fault {
	first := func(v string) string {
		for _, e := range elements(v) {
			if e[0] == '"' {
				return e
			}
		}
		return v
	}
	return []Fault{
		{Name: "name-number", Breaks: nameString,
			Doc: "takes a number for a name, as Jackson and PHP do", alter: numbers("name")},
		{Name: "name-boolean", Breaks: nameString,
			Doc: "takes true and false for names, as str() does", alter: kindOf("name", "tf", alter.Quote)},
		{Name: "name-null", Breaks: nameString,
			Doc: "takes null for an empty name, as Go's decoder does", alter: value("name", "null", `""`)},
		{Name: "name-array", Breaks: nameString,
			Doc: "takes the first string of an array for the name", alter: kindOf("name", "[", first)},
		{Name: "name-object", Breaks: nameString,
			Doc: "takes an object for a name and keeps its text", alter: kindOf("name", "{", alter.Quote)},
		{Name: "name-falsy", Breaks: nameString, Rare: true,
			Doc:   "takes 0 and false for an empty name, because it checks the type only of what is truthy",
			alter: alter.All(value("name", "0", `""`), value("name", "false", `""`))},
		{Name: "tag-number", Breaks: tagString,
			Doc: "takes a number for a tag, as serializers that coerce scalars do", alter: numbers("tag")},
		{Name: "tag-boolean", Breaks: tagString,
			Doc: "takes true and false for tags, as YAML-minded code does", alter: kindOf("tag", "tf", alter.Quote)},
		{Name: "tag-null", Breaks: tagString,
			Doc: "takes null for an absent tag, as nearly every decoder does", alter: value("tag", "null", "")},
		{Name: "tag-array", Breaks: tagString,
			Doc: "takes a list of tags and keeps the first", alter: kindOf("tag", "[", first)},
		{Name: "tag-empty-array", Breaks: tagString, Rare: true,
			Doc: "takes an empty list for an absent tag", alter: value("tag", "[]", "")},
		{Name: "tag-object", Breaks: tagString,
			Doc: "takes an object for a tag and drops it", alter: kindOf("tag", "{", func(string) string { return "" })},
		{Name: "tag-falsy", Breaks: tagString, Rare: true,
			Doc:   "takes 0 and false for an absent tag, because it checks the type only of what is truthy",
			alter: alter.All(value("tag", "0", ""), value("tag", "false", ""))},
		{Name: "tag-large-number", Breaks: tagString, Rare: true,
			Doc: "takes numbers beyond int64 for tags, because its JSON library gives them as strings",
			alter: alter.Value("tag", func(v string) string {
				if number.MatchString(v) && len(v) > 18 {
					return alter.Quote(v)
				}
				return v
			})},
		{Name: "tag-refused", Breaks: tagAccepted, Values: []string{"/tag=Baum"},
			Doc: "refuses every tag, because the validator only knows id and name",
			alter: alter.Decoded(func(p plant) error {
				if p.Tag != nil {
					return alter.Bad("/tag", "is not allowed")
				}
				return nil
			})},
		{Name: "tag-required", Breaks: tagOptional,
			Doc: "refuses a plant without a tag, as frameworks with required arguments do",
			alter: alter.Decoded(func(p plant) error {
				if p.Tag == nil {
					return alter.Bad("/tag", "is required")
				}
				return nil
			})},
		{Name: "name-fraction", Breaks: nameString, Also: []string{tagString}, Rare: true,
			Doc:   "takes fractions for names and tags, because only integers are refused",
			alter: alter.All(fraction("name"), fraction("tag"))},
	}
}

func fraction(member string) alter.Change {
	return alter.Value(member, func(v string) string {
		if number.MatchString(v) && strings.ContainsAny(v, ".eE") {
			return alter.Quote(v)
		}
		return v
	})
}

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
