package mutate

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var syntaxErrors = plan.Mutator{
	Name: "syntax-errors",
	Doc:  "Makes every kind of small syntax error at every token of a valid body, because parsers accept extensions of JSON.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		baselineText, fullText, strayText := plan.Probe(s.Op).Baseline().Body(), full(s, plan.Probe(s.Op)).Body(), strayBase.message(s, plan.Probe(s.Op)).Body()
		for _, k := range slices.Concat(delimiterKinds, insertKinds, valueKinds, numberKinds, stringKinds) {
			spots := k.spots(baselineText, baselineBase)
			if (k.optional || len(spots) == 0) && len(fullText) > len(baselineText) {
				spots = append(spots, k.spots(fullText, fullBase)...)
			}
			if s.Max > 0 {
				spots = telling(k.kind, spots)
			}
			spots = append(spread(spots, maxSpots), spread(k.spots(strayText, strayBase), strayEach)...)
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind), spots, func(g *plan.Gen, at spot) *message.Message {
				m := at.base.message(s, g)
				m.Raw = k.apply(m.Body(), at)
				return m
			})...)
		}
		return append(out, notNumbers(s)...)
	},
}

// maxSpots bounds the cases of one kind if a body has many tokens.
const (
	maxSpots  = 48
	strayEach = 11
)

// spot is one change at one token of one body.
type spot struct {
	token, edit int
	base        base
	on          byte // the first byte of the token
}

// telling puts the spots first at which a parser that takes the word gives a value of the
// right type: a number that is none where there was a number, other literals where there
// was one. Elsewhere a check of types would hide what the parser takes.
func telling(kind string, spots []spot) []spot {
	right := "-0123456789"
	if strings.HasPrefix(kind, "literal-") {
		right = "tfn"
	}
	var first, others []spot
	for _, at := range spots {
		if strings.IndexByte(right, at.on) >= 0 {
			first = append(first, at)
		} else {
			others = append(others, at)
		}
	}
	return append(first, others...)
}

// spots lists the changes of a text that are no JSON any more. White space alone may count
// as no body; malformed-body sends it.
func (k *tokenKind) spots(b []byte, in base) []spot {
	tokens, err := jsontree.Tokens(b)
	if err != nil {
		return nil
	}
	var out []spot
	for i, t := range tokens {
		if !k.on(t) || in == strayBase && !strings.Contains(t.Pointer, stray) {
			continue
		}
		for j := range k.edits {
			at := spot{i, j, in, b[t.Start]}
			changed := k.change(b, t, j)
			if broken(changed) && broken(k.change(ones(b, t), t, j)) && len(bytes.TrimSpace(changed)) > 0 && !likeUTF16(changed) {
				out = append(out, at)
			}
		}
	}
	return out
}

// likeUTF16 reports whether a text looks like UTF-16 or UTF-32, which some parsers then read (RFC 4627, 3).
func likeUTF16(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 4)], 0) >= 0 }

func (k *tokenKind) apply(b []byte, at spot) []byte {
	tokens, err := jsontree.Tokens(b)
	if err != nil {
		return b
	}
	if at.token < len(tokens) && k.on(tokens[at.token]) {
		if changed := k.change(b, tokens[at.token], at.edit); broken(changed) {
			return changed
		}
	}
	// The target takes other lists than those that were planned.
	if list := k.spots(b, at.base); len(list) > 0 {
		same := slices.IndexFunc(list, func(other spot) bool { return other.edit == at.edit })
		other := list[max(0, same)]
		return k.change(b, tokens[other.token], other.edit)
	}
	return b
}

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

// structural are the tokens of the grammar that are no values (RFC 8259, 2).
var structural = []string{"{", "}", "[", "]", ":", ","}

// sequenceEdit changes the sequence of tokens at one of them.
type sequenceEdit struct {
	token int
	text  string // the structural token, if any
	base  base
}

// sequenceKind is one kind of change; part tells what two tokens in a row become.
type sequenceKind struct {
	kind    string
	texts   []string
	maximum int
	part    func(a, b jsontree.Token, text, one, two string) (string, bool)
}

var sequenceKinds = []sequenceKind{
	{"swapped", []string{""}, 16, func(_, _ jsontree.Token, _, one, two string) (string, bool) { return two + one, true }},
	{"inserted", structural, 36, func(_, _ jsontree.Token, text, one, two string) (string, bool) { return one + text + two, true }},
	{"replaced", structural, 20, func(a, _ jsontree.Token, text, one, two string) (string, bool) {
		return text + two, onDelimiters(a) && one != text && one != ","
	}},
	{"repeated", []string{""}, 8, func(_, _ jsontree.Token, _, one, two string) (string, bool) { return one + two + one + two, true }},
}

var tokenSequences = plan.Mutator{
	Name: "token-sequences",
	Doc:  "Swaps, repeats, inserts and replaces tokens at each place of a body, also inside an unknown member, because parsers that keep no state take tokens in any order.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, k := range sequenceKinds {
			var list []sequenceEdit
			for _, in := range []base{baselineBase, strayBase} {
				b := in.message(s, plan.Probe(s.Op)).Body()
				tokens, err := jsontree.Tokens(b)
				if err != nil {
					continue
				}
				var edits []sequenceEdit
				for i := range len(tokens) - 1 {
					for _, text := range k.texts {
						edit := sequenceEdit{i, text, in}
						changed, ok := k.apply(b, tokens, edit)
						if _, err := jsontree.Parse(changed); ok && err != nil {
							edits = append(edits, edit)
						}
					}
				}
				list = append(list, spread(edits, k.maximum/2)...)
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind), list, func(g *plan.Gen, edit sequenceEdit) *message.Message {
				m := edit.base.message(s, g)
				m.Raw = k.near(m.Body(), edit)
				return m
			})...)
		}
		return out
	},
}

// near applies an edit where it was planned, or at the next token that it breaks: the target may take
// other lists than those that were planned.
func (k *sequenceKind) near(b []byte, edit sequenceEdit) []byte {
	tokens, err := jsontree.Tokens(b)
	for i := 0; err == nil && i < len(tokens)-1; i++ {
		at := edit
		at.token = (edit.token + i) % (len(tokens) - 1)
		changed, ok := k.apply(b, tokens, at)
		if _, err := jsontree.Parse(changed); ok && err != nil {
			return changed
		}
	}
	return b
}

func (k *sequenceKind) apply(b []byte, tokens []jsontree.Token, edit sequenceEdit) ([]byte, bool) {
	one, two := tokens[edit.token], tokens[edit.token+1]
	text, ok := k.part(one, two, edit.text, string(b[one.Start:one.End]), string(b[two.Start:two.End]))
	return slices.Concat(b[:one.Start], []byte(text), b[two.End:]), ok
}
