package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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
			return invalid(s, p.where(), "numeric-string", list, func(g *generate.Gen, make another) *message.Message {
				m := p.in(g)
				right := p.get(m)
				p.set(m, make(g, right.Clone()))
				return m
			})
		})
	},
}
