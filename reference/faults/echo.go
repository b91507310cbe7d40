package faults

import (
	"bytes"
	"html"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const (
	echoName = "echo-name"
	echoTag  = "echo-tag"
)

// cutAt shortens a text to n characters.
func cutAt(n int) func(string) string {
	return func(text string) string {
		if runes := []rune(text); len(runes) > n {
			return string(runes[:n])
		}
		return text
	}
}

// replaceRunes puts another text in the place of the runes that which picks.
func replaceRunes(which func(rune) bool, with string) func(string) string {
	return func(text string) string {
		var out strings.Builder
		for _, r := range text {
			if which(r) {
				out.WriteString(with)
				continue
			}
			out.WriteRune(r)
		}
		return out.String()
	}
}

func replace(oldNew ...string) func(string) string { return strings.NewReplacer(oldNew...).Replace }

var (
	markup    = regexp.MustCompile(`<[^>]*>`)
	backslash = regexp.MustCompile(`\\(.)`)
	blanks    = regexp.MustCompile(` {2,}`)
	date      = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	aNumber   = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,2})?$`)
	verb      = regexp.MustCompile(`%[a-zA-Z]`)
	holder    = regexp.MustCompile(`\$\{[^}]*\}|\{\{[^}]*\}\}`)
)

// bytesOf cuts a text at n bytes, and keeps what is left of a character out.
func bytesOf(n int) func(string) string {
	return func(text string) string {
		if len(text) > n {
			return strings.ToValidUTF8(text[:n], "")
		}
		return text
	}
}

// echoes answers with another name than the one that was sent.
func echoes() []Fault {
	changed := func(name, doc string, rare bool, f func(string) string) Fault {
		return Fault{Name: name, Breaks: echoName, Doc: doc, Rare: rare, alter: alter.Name(f)}
	}
	return []Fault{
		changed("name-constant", "answers every plant with one name, as a stub", false, func(string) string { return "plant" }),
		changed("name-empty", "answers every plant with an empty name, because a column is mapped wrongly", false, func(string) string { return "" }),
		changed("name-lower-case", "answers with the name in lower case", false, strings.ToLower),
		changed("name-capitalised", "answers with a capital first letter", false, func(n string) string {
			_, size := utf8.DecodeRuneInString(n)
			return strings.ToUpper(n[:size]) + n[size:]
		}),
		changed("name-cut-at-40", "cuts the name off after 40 characters, as MySQL does outside strict mode", true, cutAt(40)),
		changed("name-cut-at-63-bytes", "cuts the name off after 63 bytes, as PostgreSQL does with identifiers", true, bytesOf(63)),
		changed("name-cut-at-64", "cuts the name off after 64 characters", true, cutAt(64)),
		changed("name-cut-at-astral", "ends the name at the first character above U+FFFF, as MySQL's utf8 does", true, func(n string) string {
			before, _, _ := strings.Cut(replaceRunes(beyondBMP, "\x00")(n), "\x00")
			return before
		}),
		changed("name-astral-question-marks", "answers ? for characters above U+FFFF", true, replaceRunes(beyondBMP, "?")),
		changed("name-latin1-question-marks", "answers ? for characters beyond Latin-1, as columns in latin1 do", false,
			replaceRunes(func(r rune) bool { return r > 0xff }, "?")),
		changed("name-replacement-characters", "answers U+FFFD for characters that are no letters, digits or ASCII", true,
			replaceRunes(func(r rune) bool {
				return r > 0x7f && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
			}, "\ufffd")),
		changed("name-without-accents", "answers with plain letters for accented ones", true, func(n string) string {
			return norm.NFC.String(replaceRunes(func(r rune) bool { return unicode.Is(unicode.Mn, r) }, "")(norm.NFD.String(n)))
		}),
		changed("name-mojibake", "answers UTF-8 read as Latin-1 and encoded again", false, mojibake),
		changed("name-nfkc", "answers in compatibility form, where ligatures and superscripts become plain letters", true, norm.NFKC.String),
		changed("name-without-marks", "loses combining marks", true, replaceRunes(func(r rune) bool { return unicode.Is(unicode.M, r) }, "")),
		changed("name-without-tatweel", "answers without the Arabic letter stretcher, as normalisers for search do", true, replace("\u0640", "")),
		changed("name-micro-is-mu", "answers the Greek mu for the micro sign, as case folding does", true, replace("\u00b5", "\u03bc")),
		changed("name-wave-dash", "answers a full-width tilde for the wave dash, as code page 932 does", true, replace("\u301c", "\uff5e")),
		changed("name-html-escaped", "answers with < > & and quotes as HTML entities", true, html.EscapeString),
		changed("name-html-unescaped", "answers with HTML entities resolved", true, html.UnescapeString),
		changed("name-replacement", "answers with $& in the name resolved, as String.replace of JavaScript does", true, replace("$&", "NAME")),
		changed("name-markup-stripped", "answers without what looks like a tag, as strip_tags does", true,
			func(n string) string { return markup.ReplaceAllString(n, "") }),
		changed("name-quotes-doubled", "answers with ' doubled, because it was escaped for SQL twice", true, replace("'", "''")),
		changed("name-slashes-added", "answers with backslashes before quotes, as addslashes does", true, replace(`'`, `\'`, `"`, `\"`)),
		changed("name-slashes-stripped", "answers without backslashes, as stripslashes does", true,
			func(n string) string { return backslash.ReplaceAllString(n, "$1") }),
		changed("name-escaped-twice", "answers with the text of \\u escapes beyond ASCII", false,
			func(n string) string { return mapRunes(n, func(r rune) bool { return r > 0x7f }, `\u%04x`) }),
		changed("name-url-decoded", "answers with + and per cent escapes decoded", true, func(n string) string {
			if plain, err := url.QueryUnescape(n); err == nil {
				return plain
			}
			return n
		}),
		changed("name-blanks-collapsed", "answers with one blank for several, as HTML does", true,
			func(n string) string { return blanks.ReplaceAllString(n, " ") }),
		changed("name-date-extended", "answers with a time behind what looks like a date, as YAML and spreadsheets do", true, func(n string) string {
			if date.MatchString(n) {
				return n + "T00:00:00.000Z"
			}
			return n
		}),
		changed("name-number-normalised", "answers 1.0 as 1 and 1e3 as 1000, because names went through a number", true, func(n string) string {
			if v, err := strconv.ParseFloat(n, 64); err == nil && aNumber.MatchString(n) {
				return strconv.FormatFloat(v, 'f', -1, 64)
			}
			return n
		}),
		changed("name-formatted", "answers with %s and %d replaced, as format strings from input do", true,
			func(n string) string { return verb.ReplaceAllString(n, "(null)") }),
		changed("name-interpolated", "answers with ${...} and {{...}} replaced, as templates from input do", true,
			func(n string) string { return holder.ReplaceAllString(n, "") }),
		changed("name-expanded", "answers with $NAME replaced by a variable of the environment, as shells do", true,
			func(n string) string { return os.Expand(n, func(string) string { return "" }) }),
		changed("name-typographic", "answers with curly quotes and dashes, as blog software does", true, replace("'", "’", "--", "–", "...", "…")),
		changed("name-comma-lost", "keeps what stands before the first comma, as CSV files without quotes do", true, func(n string) string {
			before, _, _ := strings.Cut(n, ",")
			return before
		}),
		{Name: "name-and-tag-swapped", Breaks: echoName, Also: []string{echoTag}, Rare: true,
			Doc: "answers with name and tag exchanged where there is a tag",
			alter: alter.Echo(func(p *plant) {
				if p.Tag != nil {
					name := p.Name
					p.Name, p.Tag = *p.Tag, &name
				}
			})},
	}
}

// tagEchoes answers with another tag than the one that was sent.
func tagEchoes() []Fault {
	changed := func(name, doc string, rare bool, f func(string) string) Fault {
		return Fault{Name: name, Breaks: echoTag, Doc: doc, Rare: rare, alter: alter.Tag(f)}
	}
	return []Fault{
		{Name: "tag-lost", Breaks: echoTag, Doc: "answers without the tag, because nobody stores it",
			alter: alter.Echo(func(p *plant) { p.Tag = nil })},
		{Name: "tag-is-name", Breaks: echoTag, Doc: "answers with the name for the tag, as a line that was copied",
			alter: alter.Echo(func(p *plant) {
				if p.Tag != nil {
					p.Tag = &p.Name
				}
			})},
		changed("tag-lower-case", "answers with the tag in lower case", true, strings.ToLower),
		changed("tag-upper-case", "answers with the tag in capitals, as enumerations do", false, strings.ToUpper),
		changed("tag-cut-at-8", "cuts the tag off after eight characters", true, cutAt(8)),
		changed("tag-slug", "answers with blanks in the tag as hyphens", true, replace(" ", "-")),
		changed("tag-first-of-list", "takes the tag for a list and answers with its first element", true, func(t string) string {
			before, _, _ := strings.Cut(t, ",")
			return before
		}),
		changed("tag-trailing-slash", "answers without a slash at the end of the tag, as paths are cleaned", true,
			func(t string) string { return strings.TrimRight(t, "/") }),
		changed("tag-handle", "answers without an @ before the tag, as handles are stored", true,
			func(t string) string { return strings.TrimPrefix(t, "@") }),
		{Name: "tag-lost-beside-large-id", Breaks: echoTag, Rare: true, Doc: "answers without the tag where the id is above 2^31, because it goes another way",
			alter: alter.Echo(func(p *plant) {
				if p.ID > 1<<31 {
					p.Tag = nil
				}
			})},
		{Name: "tag-lost-beside-unknown", Breaks: echoTag, Rare: true, Doc: "answers without the tag where an unknown member is beside it, because the rest goes into a map that nobody reads",
			alter: alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
				p, err := next(b)
				if pairs, _ := alter.Object(b); slices.ContainsFunc(pairs, func(q alter.Pair) bool { return q.Name != "id" && q.Name != "name" && q.Name != "tag" }) {
					p.Tag = nil
				}
				return p, err
			})},
		{Name: "tag-lost-escaped", Breaks: echoTag, Rare: true, Doc: "answers without a tag whose member name is written with escapes, because a check looks for it in the text",
			alter: alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
				p, err := next(b)
				if !bytes.Contains(b, []byte(`"tag"`)) {
					p.Tag = nil
				}
				return p, err
			})},
		{Name: "tag-lost-unset-id", Breaks: echoTag, Rare: true, Doc: "answers without the tag where the id is zero or negative, because it takes such an id for none",
			alter: alter.Echo(func(p *plant) {
				if p.ID <= 0 {
					p.Tag = nil
				}
			})},
		{Name: "tag-without-accents", Breaks: echoTag, Rare: true, Doc: "answers with the first of the tags that differ only in accents, as a table with a collation that ignores them does",
			alter: sameTag},
		{Name: "tag-lost-like-name", Breaks: echoTag, Rare: true, Doc: "answers without a tag that equals the name",
			alter: alter.Echo(func(p *plant) {
				if p.Tag != nil && *p.Tag == p.Name {
					p.Tag = nil
				}
			})},
		changed("tag-html-escaped", "answers with < > & and quotes in the tag as HTML entities", true, html.EscapeString),
		changed("tag-ascii", "answers ? for characters beyond ASCII in the tag", true,
			replaceRunes(func(r rune) bool { return r > 0x7f }, "?")),
		changed("tag-constant", "answers every tag with a default", false, func(string) string { return "plant" }),
	}
}

// sameTag answers with the tag that came first of those that differ in accents alone.
func sameTag(s *reference.Stages) {
	var mu sync.Mutex
	known := map[string]string{}
	alter.Echo(func(p *plant) {
		if p.Tag == nil {
			return
		}
		bare := strings.Map(func(c rune) rune {
			if unicode.Is(unicode.Mn, c) {
				return -1
			}
			return c
		}, norm.NFD.String(*p.Tag))
		mu.Lock()
		defer mu.Unlock()
		if first, found := known[bare]; found {
			p.Tag = &first
			return
		}
		known[bare] = *p.Tag
	})(s)
}
