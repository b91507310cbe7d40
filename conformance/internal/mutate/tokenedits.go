package mutate

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
)

// delimiterKinds are near misses in the brackets, colons and commas.
var delimiterKinds = []tokenKind{
	{"dropped-delimiter", onDelimiters, to(""), true},
	{"dropped-text", onMembers, to(""), true},
	{"doubled-delimiter", onDelimiters, []func(string) string{twice}, true},
	{"doubled-text", onMembers, []func(string) string{twice, func(t string) string { return t + " " + t }}, false},
	{"other-colon", onColons, to("=", "=>", ",", ";", " ", "::", ":=", "->", "\n", "："), false},
	{"other-comma", onCommas, to(";", ":", " ", "\n", "|", "&", "，", ".", ", ,", ",;"), false},
	{"other-bracket", onBrackets, to("[", "]", "(", ")", "{", "}", "<", ">"), false},
	{"trailing-comma", onClosing, beforeAll(",", ", ", ",\n"), true},
	{"leading-comma", onOpening, behindAll(",", " ,"), false},
	{"stray-colon", onOpening, behindAll(":"), false},
	{"semicolon-at-end", onClosing, append(beforeAll(";"), behindAll(";")...), false},
}

// insertKinds are things between tokens that JSON does not have.
var insertKinds = []tokenKind{
	{"comment-block", anyToken, beforeAll("/**/", "/* x */"), false},
	{"comment-line", anyToken, beforeAll("// x\n"), false},
	{"comment-hash", anyToken, beforeAll("# x\n"), false},
	{"comment-other", onOpening, behindAll("<!-- x -->", "-- x\n", "; x\n", "% x\n", "(* x *)", "/* x"), false},
	{"comment-behind", onClosing, behindAll(" // x", " /* x */", " # x"), false},
	{"white-space-form-feed", anyToken, beforeAll("\f"), false},
	{"white-space-vertical-tab", anyToken, beforeAll("\v"), false},
	{"white-space-no-break", anyToken, beforeAll("\u00A0"), false},
	{"white-space-wide", onMembers, beforeAll("\u3000", "\u2003", "\u2028", "\u2029", "\u0085", "\u202F", "\u1680"), false},
	{"white-space-invisible", onMembers, beforeAll("\u200B", "\u2060", "\u00AD", "\u200E", "\u180E"), false},
	{"byte-order-mark-inside", anyToken, append(beforeAll("\uFEFF"), behindAll("\uFEFF")...), false},
	// Behind a blank: readers of C strings take one for the end of a number.
	{"nul", anyToken, append(beforeAll(" \x00"), behindAll(" \x00")...), false},
	{"control-character", onMembers, beforeAll("\x01", "\x08", "\x1B", "\x1F", "\x7F"), false},
	{"escape-outside", onMembers, beforeAll(`\n`, `\u0020`, `\`), false},
	{"invalid-utf8-outside", onMembers, beforeAll("\x80", "\xFF", "\xC0\xA0", "\xEF\xBF\xBD"), false},
	{"stray-word", anyToken, beforeAll("x", "null "), false},
}

// valueKinds are words that stand for values elsewhere.
var valueKinds = []tokenKind{
	{"not-a-number", onValues, to("NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-NaN", "1.#INF"), false},
	{"literal-case", onValues, to("True", "TRUE", "False", "FALSE", "Null", "NULL", "tRUE"), false},
	{"literal-foreign", onValues, to("None", "undefined", "nil", "yes", "no", "on", "void", "N", "<null>"), false},
	{"literal-cut", onValues, to("nul", "tru", "fals", "n", "t", "nulll", "truee", "true1", "null0"), false},
	{"expression", onValues, to("1+1", "(1)", "new Date()", "function(){}", "a.b", "[1)", "{1}", "@x", "$x", "`x`", "*", "&x", "...x", "/x/", "1;", "-"), false},
	{"no-value", onValues, to("", " ", ",", ";"), false},
}

// numberKinds are spellings of numbers that other languages have.
var numberKinds = []tokenKind{
	{"leading-zero", onNumbers, append(beforeAll("0", "00", "-0"), to("010", "-01", "00", "01.5", "-00")...), false},
	{"plus-sign", onNumbers, append(beforeAll("+", "++", "-+", "+-"), to("+1", "+0")...), false},
	{"dot-first", onNumbers, append(beforeAll(".", "-."), to(".5", "-.5", ".")...), false},
	{"dot-last", onNumbers, append(behindAll(".", ".e1", "..0", ".0.0"), to("5.", "0.")...), false},
	{"digit-groups", onNumbers, append(mapped(parted, []string{"_", ",", " ", "'"}), to("1_000", "1,000", "1 000", "1'000", "1,5")...), false},
	{"exponent-cut", onNumbers, behindAll("e", "E", "e+", "e-", "e1.5", "e ", "ee1", "e+-1", "^2", "x10"), false},
	{"hexadecimal", onNumbers, append(beforeAll("0x", "#", "$", "&h"), to("0x1F", "0XFF", "-0x1", "1Fh", "x1F")...), false},
	{"octal-binary", onNumbers, to("0o17", "0b101", "0B1", "017", "0O7"), false},
	{"number-suffix", onNumbers, behindAll("L", "n", "f", "d", "u", "i", "%", "m", "LL", "U", "F"), false},
	{"double-minus", onNumbers, beforeAll("--", "- ", "-\n", "−", "~", "!"), false},
	{"foreign-digits", onNumbers, to("１２", "٣", "१", "½", "²", "Ⅳ", "十", "1٣"), false},
	{"number-in-parts", onNumbers, append(mapped(parted, []string{"\n", "\t", "/**/", "\\", "\""}), to("1 2", "1:2", "1/2")...), false},
}

// stringKinds are near misses in strings and names.
var stringKinds = []tokenKind{
	{"single-quotes", onStrings, quoted("'", "'"), false},
	{"backticks", onStrings, quoted("`", "`"), false},
	{"other-quotes", onStrings, []func(string) string{quote("“", "”"), quote("«", "»"), quote("'", `"`), quote(`"`, "'"), quote(`"""`, `"""`), quote("＂", "＂"), quote("''", "''"), quote(`\"`, `\"`)}, false},
	{"unquoted-name", onNames, quoted("", ""), false},
	{"unquoted-value", onTexts, quoted("", ""), false},
	{"quote-missing", onStrings, []func(string) string{butLast, butFirst}, false},
	{"quote-doubled", onStrings, []func(string) string{wrap(`"`, ""), wrap("", `"`), wrap(`"`, `"`)}, false},
	{"quote-inside", onStrings, mapped(within, []string{`"`, `" "`, `""`, `"x`}), false},
	{"bad-escape", onStrings, mapped(within, []string{`\x41`, `\a`, `\'`, `\0`, `\v`, `\ `, `\U00000041`, `\e`, `\N`, `\101`, `\&`, "\\\n", `\é`, `\%`, `\$`, `\#`, `\-`, `\.`}), false},
	{"bad-hex-escape", onStrings, mapped(within, []string{`\uz`, `\u1z`, `\u12z`, `\u123z`, `\u{41}`, `\u00G0`, `\u+041`, `\u-041`, `\u 041`, `\uD83D\uz`, `\u00é0`, `\U0041`, `\u0x41`}), false},
	{"lone-backslash", onStrings, []func(string) string{func(t string) string { return t[:max(0, len(t)-1)] + `\"` }, within(`\-`)}, false},
	{"raw-newline", onStrings, mapped(within, []string{"\n", "\r\n", "\r"}), false},
	{"raw-tab", onStrings, mapped(within, []string{"\t", "\t\t"}), false},
	{"raw-nul", onStrings, mapped(within, []string{"\x00"}), false},
	{"raw-control", onStrings, mapped(within, []string{"\x01", "\x08", "\x0B", "\x0C", "\x1B", "\x1F"}), false},
	{"joined-strings", onStrings, []func(string) string{behind(`+"x"`), behind(` "x"`), before(`"" `), behind(`."x"`)}, false},
	{"string-prefix", onStrings, []func(string) string{before("u"), before("b"), before("r"), before("@"), before("L"), before("$")}, false},
}

// within puts a text into the middle of a string token.
func within(ins string) func(string) string {
	return func(t string) string {
		i := 1 + (len(t)-2)/2
		for i > 1 && t[i]&0xC0 == 0x80 {
			i--
		}
		return t[:i] + ins + t[i:]
	}
}

func quote(open, close string) func(string) string {
	return func(t string) string { return open + t[1:len(t)-1] + close }
}

func quoted(open, close string) []func(string) string {
	return []func(string) string{quote(open, close)}
}

// parted splits a number; a single digit is doubled first, or nothing would
// stand before the sign.
func parted(s string) func(string) string {
	return func(n string) string {
		if len(n) < 2 {
			n += n
		}
		return split(s)(n)
	}
}

// tokenKind is one kind of near miss: the text of one token is changed.
type tokenKind struct {
	kind  string
	on    func(t jsontree.Token) bool
	edits []func(string) string
	// optional tries it on a body with every optional member too.
	optional bool
}

func (k *tokenKind) change(b []byte, t jsontree.Token, edit int) []byte {
	return spliced(b, t, k.edits[edit](string(b[t.Start:t.End])))
}

// spliced returns a body with a text in place of a token.
func spliced(b []byte, t jsontree.Token, text string) []byte {
	return slices.Concat(b[:t.Start], []byte(text), b[t.End:])
}

// Which tokens a kind is tried on.
func anyToken(jsontree.Token) bool { return true }

func onKinds(kinds ...jsontree.TokenKind) func(jsontree.Token) bool {
	return func(t jsontree.Token) bool { return slices.Contains(kinds, t.Kind) }
}

var (
	onDelimiters = onKinds(jsontree.BeginObject, jsontree.EndObject, jsontree.BeginArray, jsontree.EndArray, jsontree.Colon, jsontree.Comma)
	onOpening    = onKinds(jsontree.BeginObject, jsontree.BeginArray)
	onClosing    = onKinds(jsontree.EndObject, jsontree.EndArray)
	onBrackets   = onKinds(jsontree.BeginObject, jsontree.EndObject, jsontree.BeginArray, jsontree.EndArray)
	onColons     = onKinds(jsontree.Colon)
	onCommas     = onKinds(jsontree.Comma)
	onNames      = onKinds(jsontree.NameToken)
	onStrings    = onKinds(jsontree.NameToken, jsontree.StringToken)
	onTexts      = onKinds(jsontree.StringToken)
	onNumbers    = onKinds(jsontree.NumberToken)
	onValues     = onKinds(jsontree.StringToken, jsontree.NumberToken, jsontree.Literal)
	onMembers    = onKinds(jsontree.NameToken, jsontree.StringToken, jsontree.NumberToken, jsontree.Literal)
)

// Edits of a token's text.
func to(texts ...string) []func(string) string {
	out := make([]func(string) string, len(texts))
	for i, t := range texts {
		out[i] = func(string) string { return t }
	}
	return out
}

func beforeAll(texts ...string) []func(string) string { return mapped(before, texts) }

func behindAll(texts ...string) []func(string) string { return mapped(behind, texts) }

func mapped(f func(string) func(string) string, texts []string) []func(string) string {
	out := make([]func(string) string, len(texts))
	for i, t := range texts {
		out[i] = f(t)
	}
	return out
}
