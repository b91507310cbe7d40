package mutators

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// pairing is two members with values that are valid each: code that looks at
// one because of the other is wrong.
type pairing struct {
	a, b   *place
	va, vb string
}

var (
	pairedNumbers = []string{"1", "2147483648", "4294967297", "9007199254740993", "9223372036854775807"}
	pairedTexts   = []string{"植物§", "é §", "🌱§", "O'§", `"§"`, "§ x y"}
)

var memberPairs = plan.Mutator{
	Name: "member-pairs",
	Doc:  "Gives two members telling values at once, or the same value, because code that looks at one member because of another gets one of them wrong.",
	Classes: func(s *plan.Space) []plan.Class {
		var scalars []*place
		for _, p := range tried(s) {
			if p.member && p.up != nil && p.up.up == nil && (p.free() || p.number()) {
				scalars = append(scalars, p)
			}
		}
		var beside, same []pairing
		for _, a := range scalars[:min(len(scalars), 4)] {
			for _, b := range scalars[:min(len(scalars), 4)] {
				switch {
				case a == b:
				case !a.needed && b.number():
					for _, v := range pairedNumbers {
						beside = append(beside, pairing{a, b, "§", v})
					}
				case !a.needed && b.free():
					for _, v := range pairedTexts {
						beside = append(beside, pairing{a, b, "§", v})
					}
				}
				if a.free() && b.free() && slices.Index(scalars, a) < slices.Index(scalars, b) {
					same = append(same, pairing{a, b, "=", "§"}, pairing{a, b, "=", "§"})
				}
				if a.free() && b.number() {
					same = append(same, pairing{a, b, "=", ""}, pairing{a, b, "=", ""})
				}
			}
		}
		return append(fully(s, wholeBody, "present-beside", beside, paired), fully(s, wholeBody, "same-value-in-two", same, paired)...)
	},
}

// paired gives both members their values; "=" stands for the text of the other.
func paired(g *generate.Gen, x pairing) *request.Message {
	m := x.b.in(g)
	x.a.ensure(g, m.Tree)
	switch {
	case x.b.number() && x.vb != "":
		x.b.set(m.Tree, jsontree.NewNumber(g.Int(x.vb, -1)))
	case x.vb != "":
		x.b.set(m.Tree, jsontree.NewString(fill(g, x.vb)))
	}
	if x.va == "=" {
		x.a.set(m.Tree, jsontree.NewString(m.Tree.At(x.b.at).Text))
		return m
	}
	x.a.set(m.Tree, jsontree.NewString(fill(g, x.va)))
	return m
}
