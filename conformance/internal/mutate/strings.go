package mutate

import (
	"cmp"
	"math/rand"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// troublesome are the kinds of text that servers fail for most often: they come first
// where there is room for few.
var troublesome = []string{"latin1", "emoji", "single-quotes", "backslash", "percent", "plus"}

var stringValues = plan.Mutator{
	Name: "string-values",
	Doc:  "Sends strings in every script and strings that code mistakes for something else, because servers escape, convert or refuse some of them.",
	Classes: func(s *plan.Space) []plan.Class {
		groups := slices.Concat(scripts, signs, injections, lookAlikes, words, letterCases)
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			var out []plan.Class
			n := max(0, rank(s, p, (*place).free)-1) // in full at two places: one may be optional
			for _, group := range groups {
				classes := fully(s, p.where(), group.kind, sampleOf(group.items, n), func(g *plan.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})
				if s.Max != 1 && slices.Contains(troublesome, group.kind) {
					first(1, classes)
				}
				out = append(out, classes...)
			}
			return out
		})
	},
}

// scripts are texts of the writing systems that names are written in.
var scripts = []textGroup{
	{"ascii", []string{"Rosa-§", "rose §", "Rosa canina var. §", "§ (Monstera)"}},
	{"inner-blanks", []string{"Aloe vera §", "a  b §", "a   b    c §", "§ x y z"}},
	{"latin1", []string{"Königskerze §", "Échinacée §", "Piñón ¡§!", "Æblerød åø §", "§ ÿþß"}},
	{"latin-extended", []string{"Žluťoučký §", "Łąka źdźbło §", "ığdır şğ §", "Cải bắp ếộ §", "ſ ƀ ǆ §"}},
	{"greek", []string{"Δάφνη §", "ελιά §", "ὦ ᾠ §", "§ Ωμέγας"}},
	{"cyrillic", []string{"Ромашка §", "їжак ґанок §", "Ѣ ѳ §", "§ ЁЛКА"}},
	{"armenian-georgian", []string{"Վարդ §", "ვარდი §", "Ꮳꮃꭹ §"}},
	{"cjk", []string{"植物 §", "仙人掌§", "龍舌蘭 §", "§ 薔薇"}},
	{"kana", []string{"サボテン §", "ひまわり §", "ｻﾎﾞﾃﾝ §", "が ぱ §"}},
	{"hangul", []string{"선인장 §", "해바라기 §", "가각 §"}},
	{"thai", []string{"กุหลาบ §", "ดอกไม้ §", "น้ำ §"}},
	{"devanagari", []string{"गुलाब §", "हिन्दी क्ष §", "नीम §"}},
	{"indic", []string{"রোজ গোলাপ §", "ரோஜா §", "గులాబీ §", "ഓർക്കിഡ് §"}},
	{"arabic", []string{"وردة §", "صبار ١٢٣ §", "گل سرخ §", "§ زهرة"}},
	{"hebrew", []string{"ורד §", "שָׁלוֹם §", "§ פרח"}},
	{"ethiopic-khmer", []string{"ጽጌረዳ §", "ផ្កា §", "ပန်း §"}},
	{"decomposed", []string{"cafe\u0301 §", "A\u030Angstro\u0308m §", "e\u0323\u0302 §", "\u1112\u1161\u11AB §"}},
	{"composed", []string{"caf\u00E9 §", "\u00C5ngstr\u00F6m §", "\u1EC7 §", "\uD55C §"}},
	{"compatibility", []string{"\uFB01cus §", "\u212Bngstrom §", "\u2126 \u212A §", "ＦＵＬＬ §", "x² ½ Ⅳ ① §"}},
	{"many-marks", []string{"Z\u0351\u036B\u0343a\u0310\u0312 §", "o\u0308\u0304\u0301 §", "§ e\u20DD"}},
	{"emoji", []string{"🌱 §", "🌵🌷🌻 §", "§🍀", "❤ ☀ §"}},
	{"emoji-skin-tone", []string{"👍🏽 §", "👩🏿🌾 §", "§ 🤚🏻"}},
	{"emoji-variation", []string{"a❤\uFE0F §", "a☀\uFE0F §", "🇩🇪 §"}},
	{"astral-cjk", []string{"𠮷野 §", "𠀀𠀁 §", "§ 𪚥"}},
	{"astral-letters", []string{"𝒜𝓁𝑜𝑒 §", "𝟘𝟙𝟚 §", "𐐷𐐨 §", "𓆸 §"}},
	{"mixed-scripts", []string{"a植я🌱 §", "Роса rosa §", "abc עברית §", "éЖ中한ก §"}},
}

// letterCases are texts whose case code changes or loses.
var letterCases = []textGroup{
	{"upper-case", []string{"ROSA §", "ÉÀÜ §"}},
	{"lower-case", []string{"rosa §", "éàü §"}},
	{"title-case", []string{"Rosa Canina §", "McIntosh §"}},
	{"odd-case", []string{"rOsA §", "İ ı §", "Straße ẞ §", "ΣΑΣ σας §", "ǅ §", "ŉ §"}},
}

// signs are texts with characters that mean something somewhere.
var signs = []textGroup{
	{"single-quotes", []string{"O'Brien §", "'§'", "it''s §", "§'"}},
	{"double-quotes", []string{`say "aloe" §`, `"§"`, `""§""`, `§"`}},
	{"both-quotes", []string{`'a' "b" §`, `"'§'"`, `\"§\"`}},
	{"backtick", []string{"`§`", "a`b §", "```§"}},
	{"typographic-quotes", []string{"“§”", "‘§’", "«§»", "„§“ ‚x‘", "Patty’s §"}},
	{"backslash", []string{`a\b §`, `\§`, `§\`, `\\§\\`, `\n\t\0 §`, `\u0041 §`}},
	{"slash", []string{"a/b §", "/§", "§/", "//§//", "</§"}},
	{"ampersand", []string{"salt & sun §", "&§", "a&b=c §", "&amp; §", "&lt;§&gt;", "&#65;&#x41; §", "&nbsp;§"}},
	{"angle-brackets", []string{"<§>", "a < b > c §", "<<§>>", "->§<-"}},
	{"percent", []string{"100% §", "%20§", "a%2Fb §", "%25 §", "%zz §", "%00§", "%s %d %n §", "§%"}},
	{"plus", []string{"a+b §", "+§", "C++ §", "§+", "a +b §"}},
	{"equals-semicolon", []string{"a=b;c=d §", ";§", "=§", "§;"}},
	{"comma-colon", []string{"a,b,c §", ",§,", "a:b §", ":§", "{a:b} §"}},
	{"brackets", []string{"[§]", "{§}", "(§)", "}{ §", "][ §", "${§}"}},
	{"hash-at", []string{"#§", "@§", "a@b.example §", "#1 §", "~§", "^§^"}},
	{"dots-dashes", []string{".§", "..§", "§...", "-§", "--§", "_§_", "§-"}},
	{"pipes", []string{"a|b §", "||§", "!§!", "?§", "§?"}},
	{"stars", []string{"*§*", "§*", "**§**", "**/§", "?*§"}},
	{"punctuation", []string{"!\"#$%&'()*+,-./ §", ":;<=>?@[\\]^_`{|}~ §", "§!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}},
	{"unicode-punctuation", []string{"– — § …", "¿§?", "、。「§」", "· • § ‰", "‽ ⁂ §", "§؟ ،"}},
	{"symbols", []string{"© ® ™ §", "€ £ ¥ §", "± × ÷ §", "← → ⇒ §", "∑ ∞ √ §", "░▒▓ §", "♀♂ §", "№ § °"}},
	{"digits", []string{"0 1 2 §", "٣٤٥ §", "१२३ §", "１２３ §", "§ 007"}},
}

// injections are texts that harm code which pastes them into another language.
var injections = []textGroup{
	{"markup", []string{"<b>§</b>", "<script>alert(1)</script>§", "<img src=x onerror=alert(1)> §", "]]>§", "<![CDATA[§]]>", "<!-- § -->", "<?xml?> §", "<br/>§"}},
	{"sql", []string{"'; DROP TABLE t; -- §", "' OR '1'='1 §", `\' OR 1=1 -- §`, "§'--", "§;--", "1; SELECT 1 §", "§ /* x */", "x' || 'y §", "§ LIKE '%_'"}},
	{"shell", []string{"$HOME §", "`id` §", "$(id) §", "; id § &", "| id §", "&& id §", "> /dev/null §", "!! §", "~ $PATH §"}},
	{"template", []string{"{{7*7}} §", "${7*7} §", "#{7*7} §", "<%= 7*7 %> §", "{% x %} §", "{0} §", "%{x} §", "@(1+1) §", "[[§]]"}},
	{"log-lookup", []string{"${jndi:x} §", "${env:HOME} §", "%(name)s §", "{name!r} §"}},
	{"path", []string{"../../§", "..\\..\\§", "/etc/§", "C:\\§", "file:///§", "./§", "§.txt", "a/./b/§", "%2e%2e/§"}},
	{"formula", []string{"=1+1 §", "+1+1 §", "-1+1 §", "@SUM(1) §", "a,b;c §", "=cmd| §", "\"a\",\"§\""}},
	{"json-inside", []string{`{"a":"§"}`, `["§"]`, `","x":"§`, `"},{"§`, `\"§`, `\u0022§`, "//§", "/*§*/"}},
	{"number-inside-json", []string{`§ "id": 9007199254740993,`, `[12345678901234567890]§`, `§ {"a":1e400}`}},
	{"json-to-repair", []string{"§,}", "[§, ]", "{§: NaN,}", "{§: None}"}},
	{"pattern", []string{".*§", "^§$", "(§|x)", "[a-z]+§", "\\d+§", "§{2,}", "(?i)§", "(§"}},
	{"substitution", []string{"$& §", "$1 §", "$$ §", "$` §", `\0 \1 §`}},
	{"mongo", []string{"$gt §", "$§", "{\"$ne\":\"§\"}", "a.b.§", "$where §"}},
	{"header", []string{"a: b §", "Set-Cookie: §", "HTTP/1.1 200 OK §"}},
}

// lookAlikes are strings that look like other values. They are tried as they
// are: a fresh word would take the form away.
var lookAlikes = []textGroup{
	{"like-integer", []string{"0", "1", "-1", "7", "123", "2147483648", "9223372036854775808", "123456789012345678901234567890"}},
	{"like-fraction", []string{"1.0", "1.5", "0.1", ".5", "5.", "-0.0", "3.14"}},
	{"like-exponent", []string{"1e5", "1E5", "12e3", "1e400", "1e-7"}},
	{"like-hex", []string{"0x1F", "0b101", "0o17", "DEADBEEF", "deadbeef", "1F"}},
	{"like-padded", []string{"007", "+5", "1,000", "1_000", "00", "-01"}},
	{"like-not-a-number", []string{"NaN", "Infinity", "-Infinity", "inf", "nan"}},
	{"like-boolean", []string{"true", "false", "True", "False", "TRUE", "yes", "no", "Yes", "No", "on", "off", "y", "n", "t", "f"}},
	{"like-null", []string{"null", "Null", "NULL", "nil", "None", "undefined", "void", "NA", "N/A", "n/a", "(null)", "<null>", "<nil>", "~", "-"}},
	{"like-container", []string{"[]", "{}", "[1]", `{"a":1}`, "[object Object]", "Object", "Array"}},
	{"like-quoted", []string{`"quoted"`, `""`, `''`, `"1"`, `\"`, `"null"`}},
	{"like-date", []string{"2024-02-30", "2024-01-01", "2024-01-01T00:00:00Z", "01/02/2024", "20240101", "12:30", "1.1.2024", "2024-W01", "MARCH1", "Jan 1 2024"}},
	{"like-address", []string{"127.0.0.1", "::1", "http://a.example/", "a@b.example", "www.a.example", "mailto:a@b.example"}},
	{"like-uuid", []string{"123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000", "507f1f77bcf86cd799439011"}},
	{"like-base64", []string{"YWxvZQ==", "data:text/plain,x", "=?utf-8?q?x?=", "aGk="}},
	{"like-money", []string{"$1", "1%", "10 kg", "5'", "12\"", "1st", "1/2"}},
}

// words are strings that some language, store or system keeps for itself.
var words = []textGroup{
	{"word-javascript", []string{"__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "length", "this", "function", "__defineGetter__", "then"}},
	{"word-python", []string{"__class__", "__init__", "self", "lambda", "__dict__"}},
	{"word-java", []string{"class", "java.lang.String", "@type", "getClass", "enum"}},
	{"word-schema", []string{"id", "name", "type", "tag", "$ref", "$id", "$type", "_id", "error", "message", "data", "value", "key", "object", "string"}},
	{"word-sql", []string{"select", "SELECT", "table", "user", "order", "default", "primary", "where", "like"}},
	{"word-system", []string{"con", "CON", "aux", "nul", "prn", "com1", "lpt1", ".", "..", "/", "*"}},
	{"word-account", []string{"admin", "root", "guest", "test", "anonymous", "system", "public"}},
	{"word-common", []string{"a", "A", "new", "old", "Rose", "rose", "ROSE"}},
}

// textGroup is one kind of text. A fresh word replaces the mark in an item; an item
// without the mark is sent as it is.
type textGroup struct {
	kind  string
	items []string
}

// nonceMark is replaced with a fresh word in listed texts.
const nonceMark = "§"

// fill puts a fresh word into a listed text; one without a mark is the subject
// itself.
func fill(g *plan.Gen, text string) string {
	if strings.Contains(text, nonceMark) {
		return strings.ReplaceAll(text, nonceMark, g.Word())
	}
	return g.Text(text)
}

// freshLength is the shortest length that fresh words have.
const freshLength = 6

// Lengths in code points up to which strings are tried one by one, and the
// sizes in bytes around which they are.
const certainLengths = 64

// padded returns a text of n characters that ends with a fresh word.
func padded(g *plan.Gen, n int, pad string) string {
	w := g.Word()
	if len(w) >= n {
		return w[:n]
	}
	return strings.Repeat(pad, n-len(w)) + w
}

func freshText(g *plan.Gen) *jsontree.Value { return jsontree.NewString(g.Word()) }

// longest bounds the texts that are made to break or keep a length.
const longest = 100_000

// shortCodes are texts that chats, blogs and word processors turn into signs.
var shortCodes = []textGroup{
	{"emoji-code", []string{":seedling: §", "§ :cactus:", ":+1: §", "a:rose:§", ":smile:", "§ :heart: :100:", ":flag-de: §", "::§::"}},
	{"emoticon", []string{":) §", ":-) §", "§ ;-)", "§ :D", "<3 §", ":'( §"}},
	{"sign-code", []string{"(c) §", "(r) §", "(tm) §", "-> §", "=> §", "1/2 §", "§ +-", "`` §"}},
	{"markdown", []string{"# §", "- §", "> §", "1. §", "[§](x)", "![§](x)", "~~§~~", "| § |", "---"}},
}

// oneSign are the printable characters of ASCII that are neither letters nor digits, but
// for those that are tried as words.
func oneSign() []string {
	var known []string
	for _, group := range slices.Concat(words, lookAlikes) {
		known = append(known, group.items...)
	}
	var out []string
	for c := '!'; c <= '~'; c++ {
		if c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			out = append(out, string(c))
		}
	}
	return slices.DeleteFunc(out, func(sign string) bool { return slices.Contains(known, sign) })
}

// shortNames are the names of unknown members that code takes for something else, or does
// not expect.
var shortNames = []string{"null", "true", "NaN", "undefined", "false", ":smile:", "a", "_", "$", "é", "\u200E", "\u0301", "\"\"", "{}", ","}

var shortTexts = plan.Mutator{
	Name: "short-texts",
	Doc:  "Sends single signs, and codes of emoji and signs, because code that strips, unquotes or decorates texts fails on one character and replaces the codes.",
	Classes: func(s *plan.Space) []plan.Class {
		out := each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			var out []plan.Class
			n := rank(s, p, (*place).free)
			for _, group := range append([]textGroup{{"one-sign", oneSign()}}, shortCodes...) {
				out = append(out, sorted(s, p.where(), group.kind, sampleOf(group.items, n), func(g *plan.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})...)
			}
			return out
		})
		if !takesMore(s) {
			return out
		}
		return append(out, mayRefuse(s, plan.Place{Name: "unknown-member"}, "short-name", shortNames, func(g *plan.Gen, name string) *message.Message {
			m := g.Baseline()
			if m.Tree.Kind != jsontree.Object || m.Tree.Get(name) != nil {
				return nil
			}
			m.Tree.Members = append(m.Tree.Members, jsontree.M(name, jsontree.NewNumber("1")))
			return m
		})...)
	},
}

// alphabets are what random texts are mixed from: marks are with letters that
// carry them.
var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", " ", "'\"`´", `\/|`, "<>&;=", "%+#?@!$",
	"()[]{}", ".,:-_~^*", "äöüßéèçñåø", "ŁőşğıİžůĐŋ", "αβγΔΩέώ", "абвЯЖїё", "植物花草龍", "あいうサボ", "가나다선", "กขค",
	"אבג", "وردة", "गल", "🌱🌵😀🍀", "𠮷𝒜𐐷", "²½№€©→∞",
}

const drawnChunks = 6

// Every place can hold the letters of the first wordAlphabets, and a header field those of the
// first headerAlphabets.
const (
	wordAlphabets   = 3
	headerAlphabets = 10
)

// alphabetsOf returns the alphabets whose letters can be sent at the place.
func (p *place) alphabetsOf() []string {
	switch {
	case p.section && strings.HasPrefix(p.path, "header/"):
		return alphabets[:headerAlphabets]
	case p.section && strings.HasPrefix(p.path, "cookie/"):
		return alphabets[:wordAlphabets]
	}
	return alphabets
}

// mixture draws must-accept texts of several alphabets around a fresh word, within
// bounds on the number of characters.
func mixture(alphabets []string, fresh string, minimum, maximum int) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		var b strings.Builder
		room := maximum - len(fresh)
		at := p.Rng.Intn(drawnChunks)
		for i := range drawnChunks {
			if i == at {
				b.WriteString(fresh)
			}
			n := min(p.Rng.Intn(1+p.MaxSize/3), room)
			room -= n
			chunk(&b, p.Rng, alphabets[p.Rng.Intn(len(alphabets))], n)
		}
		text := strings.Trim(b.String(), " ")
		text += strings.Repeat("e", max(0, minimum-utf8.RuneCountInString(text)))
		return gopter.NewGenResult(text, gopter.NoShrinker)
	}
}

func chunk(b *strings.Builder, r *rand.Rand, set string, n int) {
	size := utf8.RuneCountInString(set)
	for range n {
		k := r.Intn(size)
		for _, c := range set {
			if k == 0 {
				b.WriteRune(c)
			}
			k--
		}
	}
}

var randomStrings = plan.Mutator{
	Name: "random-strings",
	Doc:  "Sends random strings that mix scripts, signs and spaces, because a fixed list misses what only a combination breaks.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			minimum, maximum := 0, certainLengths
			if p.schema.MaxLength != nil {
				maximum = min(maximum, *p.schema.MaxLength)
			}
			if p.schema.MinLength != nil {
				minimum = *p.schema.MinLength
			}
			return sorted(s, p.where(), "random", sampleOf(make([]int, cmp.Or(s.Draws, 1)), rank(s, p, (*place).free)), func(g *plan.Gen, _ int) *message.Message {
				text, _ := mixture(p.alphabetsOf(), g.Word(), minimum, maximum)(g.Params()).Retrieve()
				return p.with(g, jsontree.NewString(text.(string)))
			})
		})
	},
}
