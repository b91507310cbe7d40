package faults

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"plantstore/reference/internal/alter"
)

var (
	likeLiteral   = regexp.MustCompile(`([\[:,])(tru|fals|nul)[a-z]([\],}])`)
	cutDigits     = regexp.MustCompile(`\\u[0-9A-Fa-f]{0,3}$`)
	cutPair       = regexp.MustCompile(`\\u[Dd][89AaBb][0-9A-Fa-f]{2}\\u?[0-9A-Fa-f]{0,3}"`)
	behindValue   = regexp.MustCompile(`("[^"\\:]*":(?:[0-9]+|"[^"\\]*"))[\[{]([,}])`)
	emojiCode     = regexp.MustCompile(`:[a-z][a-z_]*:`)
	listMark      = regexp.MustCompile(`^(#|-|[0-9]\.) `)
	literalEnding = map[string]string{"tru": "e", "fals": "e", "nul": "l"}
)

// grammar reads literals, escapes and separators without a look at all of them.
func grammar() []Fault {
	body := func(name, doc string, f func([]byte) []byte) Fault {
		return Fault{Name: name, Breaks: bodyJSON, Doc: doc, Rare: true, alter: alter.Body(f)}
	}
	fails := func(name, doc string, which *regexp.Regexp, with func() error) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Looked(func(b []byte) error {
			if which.Match(b) {
				return with()
			}
			return nil
		})}
	}
	return []Fault{
		body("literal-last-letter", "takes trux for true and nulk for null, because it compares all letters but the last", func(b []byte) []byte {
			return likeLiteral.ReplaceAllFunc(b, func(m []byte) []byte {
				part := likeLiteral.FindSubmatch(m)
				return []byte(string(part[1]) + string(part[2]) + literalEnding[string(part[2])] + string(part[3]))
			})
		}),
		body("bracket-behind-value", "takes an opening bracket behind a value, because it looks for the end of the member alone", func(b []byte) []byte {
			return behindValue.ReplaceAll(b, []byte("$1$2"))
		}),
		body("single-quotes-alone", "takes single quotes if a body has no double ones, because it tries a second parser if the first one fails", func(b []byte) []byte {
			if bytes.ContainsRune(b, '"') {
				return b
			}
			return bytes.ReplaceAll(b, []byte("'"), []byte(`"`))
		}),
		fails("escape-digits-500", "answers 500 to a body that ends inside the digits of an escape, which it reads four at a time", cutDigits, alter.Crash),
		fails("second-escape-dropped", "closes the connection where a string ends inside the second escape of a pair", cutPair, alter.Drop),
	}
}

// marks stumbles over short texts, codes of signs, and what cannot be seen.
func marks() []Fault {
	changed := func(name, doc string, f func(string) string) Fault {
		return Fault{Name: name, Breaks: echoName, Doc: doc, Rare: true, alter: alter.Name(f)}
	}
	fails := func(name, doc string, fatal func(string) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Decoded(func(p plant) error {
			if fatal(p.Name) {
				return alter.Crash()
			}
			return nil
		})}
	}
	return []Fault{
		changed("name-emoji-codes", "answers :seedling: as a sign, as chats do", func(n string) string { return emojiCode.ReplaceAllString(n, "🌱") }),
		changed("name-sign-codes", "answers (c) and (tm) as signs, as word processors do", replace("(c)", "©", "(r)", "®", "(tm)", "™")),
		changed("name-emoticons", "answers :) and :-) as signs", replace(":)", "🙂", ":-)", "🙂")),
		changed("name-list-marks", "loses what makes a heading or a list of a line in Markdown", func(n string) string { return listMark.ReplaceAllString(n, "") }),
		changed("name-selectors-lost", "loses the selectors of ideographs, as normalisers for search do", replaceRunes(func(c rune) bool { return c >= 0xE0100 && c <= 0xE01EF }, "")),
		fails("lone-quote-500", "answers 500 to a name that is a single quotation mark, because it takes one off each end for its search key",
			func(n string) bool { return n == `"` || n == "'" }),
		fails("pop-direction-500", "answers 500 to a mark that ends a direction which none began, because its stack is empty", func(n string) bool {
			open := 0
			for _, c := range n {
				switch {
				case strings.ContainsRune("\u202A\u202B\u202D\u202E\u2066\u2067\u2068", c):
					open++
				case c == '\u202C' || c == '\u2069':
					open--
				}
				if open < 0 {
					return true
				}
			}
			return false
		}),
		fails("astral-mark-500", "answers 500 to combining marks above U+FFFF, because its table of them ends there",
			anyRune(func(c rune) bool {
				return beyondBMP(c) && unicode.Is(unicode.M, c) && !unicode.Is(unicode.Variation_Selector, c)
			})),
		fails("noncharacter-500", "answers 500 to noncharacters of the planes 2 to 15, which its encoder does not know",
			anyRune(func(c rune) bool {
				return c > 0x2FFFD && c < 0x100000 && unicode.Is(unicode.Noncharacter_Code_Point, c)
			})),
		{Name: "member-braces-500", Breaks: answered, Rare: true, Doc: "answers 500 to a member whose name is a pair of braces, because its log takes them for a place to fill",
			alter: alter.Looked(func(b []byte) error {
				pairs, _ := alter.Object(b)
				if find(pairs, "{}") != "" {
					return alter.Crash()
				}
				return nil
			})},
	}
}
