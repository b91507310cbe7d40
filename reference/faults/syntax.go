package faults

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference/internal/alter"
	"plantstore/reference/internal/loose"
)

const bodyJSON = "post-plants-body-json"

// syntax takes near misses of JSON inside the body, as lenient parsers do.
func syntax() []Fault {
	reads := func(name string, allow loose.Allow, doc string) Fault {
		return Fault{Name: name, Breaks: bodyJSON, Doc: doc, alter: alter.Body(func(b []byte) []byte { return loose.Normalise(b, allow) })}
	}
	list := []Fault{
		reads("trailing-comma", loose.TrailingComma, "takes a comma behind the last member, as JSON5 and many hand-made parsers do"),
		reads("leading-comma", loose.LeadingComma, "takes a comma before the first member, as parsers that skip separators do"),
		reads("doubled-comma", loose.DoubledComma, "takes two commas in a row, as Jackson does with ALLOW_MISSING_VALUES"),
		reads("missing-comma", loose.MissingComma, "takes members without a comma between them, as Hjson and some scanners do"),
		reads("semicolon-for-comma", loose.SemicolonForComma, "takes a semicolon between members, as lenient Gson does"),
		reads("equals-for-colon", loose.EqualsForColon, "takes = behind a member name, as lenient Gson does"),
		reads("missing-colon", loose.MissingColon, "takes a member without its colon, as scanners that only look for tokens do"),
		reads("line-comments", loose.LineComment, "takes // comments, as JSONC parsers do"),
		reads("block-comments", loose.BlockComment, "takes /* */ comments, as JSON5 and Jackson with ALLOW_COMMENTS do"),
		reads("hash-comments", loose.HashComment, "takes # comments, as YAML parsers and lenient Gson do"),
		reads("single-quotes", loose.SingleQuotes, "takes strings in single quotes, as JSON5 and eval do"),
		reads("bare-names", loose.BareNames, "takes member names without quotes, as JSON5 does"),
		reads("bare-strings", loose.BareStrings, "takes strings without quotes, as YAML and lenient Gson do"),
		reads("nan-and-infinity", loose.NaN, "takes NaN and Infinity for numbers, as Python's json module does"),
		reads("hexadecimal", loose.Hex, "takes 0x numbers, as JSON5 and strtol with base 0 do"),
		reads("leading-zeros", loose.LeadingZeros, "takes numbers with leading zeros, as atoi does"),
		reads("plus-sign", loose.Plus, "takes +1 for a number, as most languages' number parsers do"),
		reads("trailing-dot", loose.TrailingDot, "takes 5. for a number, as strtod does"),
		reads("digit-underscores", loose.Underscores, "takes 1_000 for a number, as int() in Python and Ruby do"),
		reads("number-suffix", loose.NumberSuffix, "reads 12abc as 12, as parseInt and atoi do"),
		reads("bare-exponent", loose.BareExponent, "reads 1e as 1, as scanners that make exponent digits optional do"),
		reads("control-characters", loose.ControlCharacters, "takes raw control characters in strings, as json.loads with strict=False does"),
		reads("raw-tab", loose.Tab, "takes a raw tab, and no other control character, in strings"),
		reads("any-escape", loose.AnyEscape, "takes a backslash before any character, as many hand-made parsers do"),
		reads("hex-escape", loose.HexEscape, "takes \\x41 in strings, as JavaScript does"),
		reads("escaped-newline", loose.EscapedNewline, "takes a backslash at the end of a line in a string, as JSON5 does"),
		reads("open-end", loose.OpenEnd, "takes a body without its last closing bracket, as incremental parsers do at the end of input"),
		reads("open-string", loose.OpenString|loose.OpenEnd, "takes a body cut off inside its last string, as partial-JSON parsers do"),
		reads("mismatched-close", loose.MismatchedClose, "takes ] where } belongs, as parsers that only count brackets do"),
		reads("form-feed", loose.FormFeed, "takes form feed and vertical tab for white space, as isspace does"),
		reads("no-break-space", loose.NoBreakSpace, "takes U+00A0 and U+FEFF for white space, as JavaScript's trim does"),
	}
	for i := range list {
		switch list[i].Name {
		case "raw-tab", "escaped-newline", "bare-exponent", "form-feed", "no-break-space", "hex-escape", "mismatched-close", "digit-underscores":
			list[i].Rare = true
		}
	}
	return list
}

// readAtOnce is what a reader asks for first.
const readAtOnce = 512

// surroundings takes more than one JSON value, or text around it.
func surroundings() []Fault {
	return []Fault{
		{Name: "trailing-text", Breaks: bodyJSON,
			Doc:   "reads one value and ignores everything behind it, as Go's Decoder.Decode does",
			alter: alter.Body(cut)},
		{Name: "second-value", Breaks: bodyJSON,
			Doc: "takes the first of several values, as newline-delimited JSON readers do",
			alter: alter.Body(func(b []byte) []byte {
				n := firstValue(b)
				if rest := b[n:]; firstValue(rest) > 0 && len(bytes.TrimSpace(rest[firstValue(rest):])) == 0 {
					return b[:n]
				}
				return b
			})},
		{Name: "extra-closing-bracket", Breaks: bodyJSON, Rare: true,
			Doc: "takes one closing bracket too many, as readers that stop at the matching one do",
			alter: alter.Body(func(b []byte) []byte {
				n := firstValue(b)
				if rest := string(bytes.TrimSpace(b[n:])); rest == "}" || rest == "]" {
					return b[:n]
				}
				return b
			})},
		{Name: "trailing-comma-behind", Breaks: bodyJSON, Rare: true,
			Doc: "takes a comma behind the whole value, as readers of concatenated log lines do",
			alter: alter.Body(func(b []byte) []byte {
				return bytes.TrimSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(","))
			})},
		{Name: "wide-space-around", Breaks: bodyJSON, Rare: true,
			Doc:   "trims all white space of Unicode around the body, as str.strip does",
			alter: alter.Body(bytes.TrimSpace)},
		{Name: "text-beyond-buffer", Breaks: bodyJSON, Rare: true,
			Doc: "ignores what stands behind the value and 512 bytes, as a look at what Go's Decoder has buffered does",
			alter: alter.Body(func(b []byte) []byte {
				if n := firstValue(b); n > 0 && n < readAtOnce && len(b) > readAtOnce && len(bytes.TrimSpace(b[n:readAtOnce])) == 0 {
					return b[:n]
				}
				return b
			})},
		{Name: "trailing-semicolon", Breaks: bodyJSON, Rare: true,
			Doc: "takes a semicolon behind the value, as eval does",
			alter: alter.Body(func(b []byte) []byte {
				return bytes.TrimSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(";"))
			})},
		{Name: "nul-terminated", Breaks: bodyJSON, Rare: true,
			Doc: "ends the body at the first NUL byte, as C strings do",
			alter: alter.Body(func(b []byte) []byte {
				before, _, _ := bytes.Cut(b, []byte{0})
				return before
			})},
		{Name: "leading-text", Breaks: bodyJSON,
			Doc: "starts reading at the first {, as code that strips prefixes does",
			alter: alter.Body(func(b []byte) []byte {
				if i := bytes.IndexByte(b, '{'); i > 0 && !bytes.ContainsAny(b[:i], `["`) {
					return b[i:]
				}
				return b
			})},
		{Name: "parentheses", Breaks: bodyJSON, Rare: true,
			Doc: "takes a value in parentheses, as JSONP readers and eval do",
			alter: alter.Body(func(b []byte) []byte {
				if inner := bytes.TrimSpace(b); len(inner) > 1 && inner[0] == '(' && inner[len(inner)-1] == ')' {
					return inner[1 : len(inner)-1]
				}
				return b
			})},
		{Name: "blank-body-accepted", Breaks: bodyJSON, Also: []string{bodyRequired}, Rare: true,
			Doc: "takes a body of nothing but white space for an empty plant",
			alter: alter.Body(func(b []byte) []byte {
				if len(b) > 0 && len(bytes.TrimSpace(b)) == 0 {
					return []byte(emptyPlant)
				}
				return b
			})},
		{Name: "unreadable-is-empty", Breaks: bodyJSON,
			Doc: "takes a body that starts with no JSON character for an empty plant, as PHP does when json_decode gives null",
			alter: alter.Body(func(b []byte) []byte {
				if t := bytes.TrimSpace(b); len(t) > 0 && !bytes.ContainsAny(t[:1], "{[\"-0123456789tfn\xef") {
					return []byte(emptyPlant)
				}
				return b
			})},
	}
}

// emptyPlant is what code without checks makes of nothing.
const emptyPlant = `{"id":0,"name":""}`

// firstValue is the length of the first JSON value in b, 0 where there is none.
func firstValue(b []byte) int {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	if _, err := d.ReadValue(); err != nil {
		return 0
	}
	return int(d.InputOffset())
}

// cut drops what stands behind the first value.
func cut(b []byte) []byte {
	if n := firstValue(b); n > 0 {
		return b[:n]
	}
	return b
}

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
