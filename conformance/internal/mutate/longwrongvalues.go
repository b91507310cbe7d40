package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// longShape makes a value of a text that is refused for its type.
type longShape func(text string) *jsontree.Value

// longWrong is a long value of the wrong type.
type longWrong struct {
	text  sizedText
	shape longShape
}

// fullPlaces is at how many places every size is tried.
const fullPlaces = 3

// longShapes are in a string, as an item, as a name and in an object.
var longShapes = []longShape{
	jsontree.NewString,
	func(t string) *jsontree.Value { return jsontree.NewArray(jsontree.NewString(t)) },
	func(t string) *jsontree.Value { return jsontree.NewObject(jsontree.M(t, jsontree.NewNumber("1"))) },
	func(t string) *jsontree.Value { return jsontree.NewObject(jsontree.M("value", jsontree.NewString(t))) },
}

// longCuts are what stands around a long text in a body that is not JSON.
var longCuts = []struct{ kind, before, behind string }{
	{"long-open-string", `{"`, ""},
	{"long-bare-word", "", ""},
	{"long-text-behind", "{} ", ""},
	{"long-cut-escape", `["`, `\u12"]`},
}

var longWrongValues = plan.Mutator{
	Name: "long-wrong-values",
	Doc:  "Sends values of the wrong type, and text that is not JSON, of every size up to 8 KiB, because an error message that quotes them is cut inside a character, or exceeds its buffer.",
	Classes: func(s *plan.Space) []plan.Class {
		out := each(s, func(p *place) []plan.Class {
			shapes := longShapes
			if p.schema.Type() == "string" {
				shapes = longShapes[1:]
			}
			var list []longWrong
			for i, t := range sizedTexts() {
				list = append(list, longWrong{t, shapes[(i+i/len(wideLetters))%len(shapes)]})
			}
			n := rank(s, p, func(*place) bool { return true })
			return invalid(s, p.where(), "long", sampleOf(fewer(s, p.where(), list), max(0, n+1-fullPlaces)), func(g *generate.Gen, w longWrong) *message.Message {
				return p.with(g, w.shape(wideText(w.text.bytes, w.text.letter)))
			})
		})
		if !s.Op.HasJSON() {
			return out
		}
		for _, c := range longCuts {
			var texts []sizedText
			for i, n := range append([]int{100}, buffers[:len(buffers)-1]...) {
				texts = append(texts, sizedText{n, wideLetters[1+i%3]})
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, c.kind, plan.ExpectNotJSON), texts, func(g *generate.Gen, t sizedText) *message.Message {
				m := g.Baseline()
				m.Raw = []byte(c.before + wideText(t.bytes, t.letter) + c.behind)
				return m
			})...)
		}
		return out
	},
}
