package mutate

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// misspelling turns the digits of a number into texts that are not numbers, but that some
// parsers read as one.
type misspelling struct {
	kind  string
	texts []func(digits string) string
}

var misspellings = []misspelling{
	{"letters-behind", []func(string) string{between("", "abc"), between("", "px"), between("", ";x")}},
	{"letters-before", []func(string) string{between("x", ""), between("#", "")}},
	{"other-digits", []func(string) string{digitsFrom('０'), digitsFrom('٠')}},
	{"grouped", []func(string) string{grouped("_"), grouped("'")}},
	{"several", []func(string) string{between("", ",1"), between("", " 1"), between("1;", "")}},
	{"in-brackets", []func(string) string{between("[", "]"), between("(", ")"), between("'", "'")}},
}

var numberSpellings = plan.Mutator{
	Name: "number-spellings",
	Doc:  "Sends text such as 12abc where a parameter or a form has a number, because many parsers stop at the first letter, or accept several numbers.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.number() || !p.section && (s.Op.Body == nil || !s.Op.Body.Form()) {
				return nil
			}
			var out []plan.Class
			for _, k := range misspellings {
				out = append(out, ahead(invalid(s, p.where(), k.kind, k.texts, func(g *plan.Gen, spell func(string) string) *message.Message {
					m := p.in(g)
					if right := p.get(m); right != nil {
						p.set(m, jsontree.NewString(spell(right.String())))
					}
					return m
				}))...)
			}
			return out
		})
	},
}

func between(before, behind string) func(string) string {
	return func(digits string) string { return before + digits + behind }
}

// digitsFrom writes the digits of a script from its zero on.
func digitsFrom(zero rune) func(string) string {
	return func(digits string) string {
		return strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return zero + c - '0'
			}
			return c
		}, digits)
	}
}

// grouped puts a mark in front of the last digit.
func grouped(mark string) func(string) string {
	return func(digits string) string {
		if len(digits) < 2 {
			digits = "0" + digits
		}
		return digits[:len(digits)-1] + mark + digits[len(digits)-1:]
	}
}

// number-like texts that lenient code turns into numbers.
var numericTexts = []string{"1", "0", "", " ", " 1", "1 ", "+1", "-1", "1.0", "1.5", "1e3", "0x1F", "0b1", "007", "1,000", "1_000", "１", "٣", "1n", "NaN", "Infinity", "true", "false", "null", "12abc", "9007199254740993", "9223372036854775807", "123e4567-e89b-12d3-a456-426614174000", "507f1f77bcf86cd799439011", "2024-01-01", "2024-01-01T00:00:00Z"}

// lookAlike values around a fresh number.
var aroundNumber = []another{
	asText,
	func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString(" " + right.String())
	},
	func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString(right.String() + ".0")
	},
	func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString("\"" + right.String() + "\"")
	},
	func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString("0" + right.String())
	},
}

var numericStrings = plan.Mutator{
	Name: "numeric-strings",
	Doc:  "Sends a string that looks like the required number, because servers often convert strings to numbers.",
	Classes: func(s *plan.Space) []plan.Class {
		list := aroundNumber
		for _, t := range numericTexts {
			list = append(list[:len(list):len(list)], text(t))
		}
		return each(s, func(p *place) []plan.Class {
			if !p.number() {
				return nil
			}
			return invalid(s, p.where(), "numeric-string", list, func(g *plan.Gen, make another) *message.Message {
				m := p.in(g)
				right := p.get(m)
				p.set(m, make(g, right.Clone()))
				return m
			})
		})
	},
}

// notNumber is a word in place of the number of a member.
type notNumber struct {
	place *place
	word  string
}

// maxNotNumbers bounds the cases if a body has many such members.
const maxNotNumbers = 48

// notNumbers are words such as NaN at optional members that may be 0. A parser that accepts the
// word makes it 0, or a value that passes every comparison with a bound.
func notNumbers(s *plan.Space) []plan.Class {
	var at []*place
	for _, p := range inJSON(s, tried(s)) {
		if p.member && !p.needed && p.number() {
			if r := p.with(plan.Probe(s.Op), jsontree.NewInt(0)).Reading(); r != nil && r.Kind == schema.MustAccept {
				at = append(at, p)
			}
		}
	}
	// Numbers come before integers: a type check refuses the words at integers.
	slices.SortStableFunc(at, func(p, q *place) int { return cmp.Compare(q.schema.Type(), p.schema.Type()) })
	var list []notNumber
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		for _, p := range at {
			list = append(list, notNumber{p, word})
		}
	}
	return ahead(listed(of(plan.FamilyNotJSON, wholeBody, "not-a-number-inside"), spread(list, maxNotNumbers), func(g *plan.Gen, one notNumber) *message.Message {
		m := one.place.with(g, jsontree.NewInt(0))
		b := m.Body()
		tokens, err := jsontree.Tokens(b)
		i := slices.IndexFunc(tokens, func(t jsontree.Token) bool { return t.Kind == jsontree.NumberToken && t.Pointer == one.place.at })
		if err == nil && i >= 0 {
			m.Raw = spliced(b, tokens[i], one.word)
		}
		return m
	}))
}

// unusualNumberGroups are numbers that some servers refuse; "#" is a fresh one.
var unusualNumberGroups = []numberGroup{
	{"zero", []string{"0"}},
	{"minus-zero", []string{"-0"}},
	{"negative", []string{"-1", "-2", "-100", "-#", "-255", "-32768", "-32769"}},
	{"negative-large", []string{"-2147483647", "-2147483648", "-2147483649", "-4294967296", "-9007199254740991", "-9007199254740993", "-1000000000000000000"}},
	{"negative-limit", []string{"-9223372036854775807", "-9223372036854775808"}},
	{"spelled-with-fraction", []string{"#.0", "#.00", "#.0000000000", "1.0", "-1.0", "0.0", "100.000"}},
	{"exponent", []string{"#e0", "#E0", "#e+0", "#e-0", "1e2", "1E2", "1e+2", "12e1", "10E-1", "1000e-3", "1.5e1", "0e5", "1.0e1", "#0e-1"}},
	{"exponent-large", []string{"1e9", "1e10", "1e15", "1e18", "9e18", "9.223372036854775807e18", "92233720368547758.07e2"}},
	{"exponent-padded", []string{"1e0000000002", "1e-0", "#e000"}},
	{"zero-with-exponent", []string{"0e0", "0e400", "0.0e-400", "-0.0", "-0e1"}},
}

var unusualNumbers = plan.Mutator{
	Name: "unusual-numbers",
	Doc:  "Sends valid numbers that some servers refuse, such as zero, negative numbers and integers written as 1.0 or 1e2, because a server must refuse them properly or keep them unchanged.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.number() {
				return nil
			}
			n := rank(s, p, (*place).number)
			out := besideOptional(s, p)
			for _, group := range unusualNumberGroups {
				out = append(out, mayRefuse(s, p.where(), group.kind, sampleOf(group.items, n), func(g *plan.Gen, item string) *message.Message {
					m := p.in(g)
					fresh := p.get(m).Text
					p.set(m, jsontree.NewNumber(spelled(item, fresh)))
					return m
				})...)
			}
			return out
		})
	},
}

// besideOptional sends zero and a negative number with the optional members: code that takes
// such a number for a missing one may skip the rest.
func besideOptional(s *plan.Space, p *place) []plan.Class {
	if len(optional(s)) == 0 || p.section {
		return nil
	}
	return mayRefuse(s, p.where(), "beside-optional", []string{"0", "-#"}, func(g *plan.Gen, item string) *message.Message {
		m := full(s, g)
		p.ensure(g, m)
		p.set(m, jsontree.NewNumber(spelled(item, p.get(m).Text)))
		return m
	})
}

var (
	// Texts that lenient readers take for true or false: a server may do so too.
	booleanTexts = []string{"1", "0", "TRUE", "True", "yes", "on", "t", "FALSE", "no", "off", "F"}
	// Texts that are no boolean for any of them.
	noBooleanTexts = []string{"2", "10", "truex", "tru", "-1", "enabled", "true,false", "00"}
)

var booleanSpellings = plan.Mutator{
	Name: "boolean-spellings",
	Doc:  "Sends text such as 1, TRUE, yes or truex where a parameter or a form has a boolean, because code that reads it takes any text for true, or fails at what it does not know.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "boolean" || p.schema.Enum != nil || p.schema.Const != nil || !p.section && (s.Op.Body == nil || !s.Op.Body.Form()) {
				return nil
			}
			build := func(g *plan.Gen, text string) *message.Message {
				return p.with(g, jsontree.NewString(text))
			}
			return slices.Concat(
				mayRefuse(s, p.where(), "another-spelling", booleanTexts, build),
				ahead(invalid(s, p.where(), "no-boolean", noBooleanTexts, build)))
		})
	},
}

type typeGroup struct {
	kind string
	list []another
}

var typeGroups = []typeGroup{
	{"null", []another{always(jsontree.NewNull())}},
	{"boolean", []another{always(jsontree.NewBool(true)), always(jsontree.NewBool(false))}},
	{"number", []another{number("0"), number("1"), number("-1"), number("0.5"), number("1.5"), number("1e3"), number("9223372036854775807"), number("12345678901234567890"), number("1234567890123456789012345")}},
	{"string", []another{asText, freshWord, text(""), text("x"), text("null"), text("true"), text("[]"), text("{}")}},
	{"array", []another{always(jsontree.NewArray()), around(1), around(2), always(jsontree.NewArray(jsontree.NewNull())), always(jsontree.NewArray(jsontree.NewString(""))),
		func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewArray(jsontree.NewArray(right))
		}}},
	{"character-list", []another{always(jsontree.NewArray(jsontree.NewNumber("82"), jsontree.NewNumber("111"), jsontree.NewNumber("115"), jsontree.NewNumber("101")))}},
	{"object", []another{always(jsontree.NewObject()), under("value"), under("$value"), under("0"), under("$oid"), under(""),
		under("$numberLong"), under("#text"), under("_text"), under("$"), under("en"), under("name"), under("id"), under("text"),
		inText("$numberLong"), inText("$numberInt"), inText("$numberDecimal"), inText("$date"),
		func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("low", right), jsontree.M("high", jsontree.NewInt(0)), jsontree.M("unsigned", jsontree.NewBool(false)))
		}}},
}

var wrongTypes = plan.Mutator{
	Name: "wrong-types",
	Doc:  "Sends a value of another JSON type, also one that contains the right value, because servers often coerce types.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			var out []plan.Class
			for _, group := range typeGroups {
				out = append(out, invalid(s, p.where(), group.kind, group.list, func(g *plan.Gen, make another) *message.Message {
					m := p.in(g)
					right := p.get(m)
					p.set(m, make(g, right.Clone()))
					return m
				})...)
			}
			if p.section || s.Op.Body.Form() {
				return unlabelled(out) // as text, another type may be a text that fits
			}
			return out
		})
	},
}
