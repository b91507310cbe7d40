package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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

var wrongTypes = plan.Mutator{
	Name: "wrong-types",
	Doc:  "Sends a value of another JSON type, also one that contains the right value, because servers often coerce types.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			var out []plan.Class
			for _, group := range typeGroups {
				out = append(out, invalid(s, p.where(), group.kind, group.list, func(g *generate.Gen, make another) *message.Message {
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
