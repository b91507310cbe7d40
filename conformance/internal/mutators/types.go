package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// another is one value of another type, made around a value that would be right.
type another func(g *generate.Gen, right *jsontree.Value) *jsontree.Value

type typeGroup struct {
	kind string
	list []another
}

func always(v *jsontree.Value) another {
	return func(*generate.Gen, *jsontree.Value) *jsontree.Value { return v.Clone() }
}

func number(text string) another { return always(jsontree.NewNumber(text)) }

func text(s string) another { return always(jsontree.NewString(s)) }

// around puts the right value into a container; times tells how often.
func around(times int) another {
	return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		v := jsontree.NewArray()
		for range times {
			v.Items = append(v.Items, right.Clone())
		}
		return v
	}
}

func under(name string) another {
	return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, right))
	}
}

// inText puts the right value into an object as extended JSON does, as a string.
func inText(name string) another {
	return func(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, asText(g, right)))
	}
}

// asText spells the right value as a string.
func asText(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.String {
		return jsontree.NewString(right.Text)
	}
	return jsontree.NewString(right.String())
}

func freshWord(g *generate.Gen, _ *jsontree.Value) *jsontree.Value {
	return jsontree.NewString(g.Word())
}

var typeGroups = []typeGroup{
	{"null", []another{always(jsontree.NewNull())}},
	{"boolean", []another{always(jsontree.NewBool(true)), always(jsontree.NewBool(false))}},
	{"number", []another{number("0"), number("1"), number("-1"), number("1.5"), number("12345"), number("1e3"), number("9223372036854775807"), number("12345678901234567890"), number("1234567890123456789012345")}},
	{"string", []another{asText, freshWord, text(""), text("x"), text("null"), text("true"), text("[]"), text("{}")}},
	{"array", []another{always(jsontree.NewArray()), around(1), around(2), always(jsontree.NewArray(jsontree.NewNull())), always(jsontree.NewArray(jsontree.NewString(""))),
		func(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewArray(jsontree.NewArray(right))
		}}},
	{"character-list", []another{always(jsontree.NewArray(jsontree.NewNumber("82"), jsontree.NewNumber("111"), jsontree.NewNumber("115"), jsontree.NewNumber("101")))}},
	{"object", []another{always(jsontree.NewObject()), under("value"), under("$value"), under("0"), under("$oid"), under(""),
		under("$numberLong"), under("#text"), under("_text"), under("$"), under("en"), under("name"), under("id"), under("text"),
		inText("$numberLong"), inText("$numberInt"), inText("$numberDecimal"), inText("$date"),
		func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("low", right), jsontree.M("high", jsontree.NewInt(0)), jsontree.M("unsigned", jsontree.NewBool(false)))
		}}},
}

var types = plan.Mutator{
	Name: "types",
	Doc:  "A value of another JSON type, also one that carries the right value inside.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			var out []plan.Class
			for _, group := range typeGroups {
				out = append(out, invalid(s, p.label(), group.kind, group.list, func(g *generate.Gen, make another) *request.Message {
					m := p.in(g)
					right := m.Tree.At(p.at)
					p.set(m.Tree, make(g, right.Clone()))
					return m
				})...)
			}
			return out
		})
	},
}

// number-like texts that lenient code turns into numbers.
var numericTexts = []string{"1", "0", "", " ", " 1", "1 ", "+1", "-1", "1.0", "1.5", "1e3", "0x1F", "0b1", "007", "1,000", "1_000", "１", "٣", "1n", "NaN", "Infinity", "true", "false", "null", "12abc", "9007199254740993", "9223372036854775807", "123e4567-e89b-12d3-a456-426614174000", "507f1f77bcf86cd799439011", "2024-01-01", "2024-01-01T00:00:00Z"}

// lookAlike values around a fresh number.
var aroundNumber = []another{
	asText,
	func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString(" " + right.String())
	},
	func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString(right.String() + ".0")
	},
	func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString("\"" + right.String() + "\"")
	},
	func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewString("0" + right.String())
	},
}

var numericStrings = plan.Mutator{
	Name: "numeric-strings",
	Doc:  "A string that looks like the number that is asked for.",
	Classes: func(s *plan.Space) []plan.Class {
		list := aroundNumber
		for _, t := range numericTexts {
			list = append(list[:len(list):len(list)], text(t))
		}
		return each(s, func(p *place) []plan.Class {
			if !p.number() {
				return nil
			}
			return invalid(s, p.label(), "numeric-string", list, func(g *generate.Gen, make another) *request.Message {
				m := p.in(g)
				right := m.Tree.At(p.at)
				p.set(m.Tree, make(g, right.Clone()))
				return m
			})
		})
	},
}
