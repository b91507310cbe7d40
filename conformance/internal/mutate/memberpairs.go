package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
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
		list := pairable(s)
		var beside, same []pairing
		for i, a := range list {
			for j, b := range list {
				if i != j {
					beside = append(beside, besides(a, b)...)
					same = append(same, equals(a, b, i < j)...)
				}
			}
		}
		return append(fully(s, wholeBody, "present-beside", beside, paired), fully(s, wholeBody, "same-value-in-two", same, paired)...)
	},
}

// besides returns pairs of an optional member and telling values of another.
func besides(a, b *place) []pairing {
	var values []string
	switch {
	case a.needed:
	case b.number():
		values = pairedNumbers
	case b.free():
		values = pairedTexts
	}
	var out []pairing
	for _, v := range values {
		out = append(out, pairing{a, b, "§", v})
	}
	return out
}

// equals returns pairs in which a text member has the value of another. Of two texts
// it returns one pair.
func equals(a, b *place, first bool) []pairing {
	switch {
	case !a.free():
		return nil
	case b.number() && holdsAnyNumber(a):
		return []pairing{{a, b, "=", ""}, {a, b, "=", ""}}
	case b.free() && first:
		return []pairing{{a, b, "=", "§"}, {a, b, "=", "§"}}
	}
	return nil
}

// holdsAnyNumber reports whether a text may be as short and as long as a number is.
func holdsAnyNumber(p *place) bool {
	least, most := p.schema.MinLength, p.schema.MaxLength
	return (least == nil || *least <= 1) && (most == nil || *most >= len("-9223372036854775808"))
}

// paired sets the values of both members; "=" copies the text of the other.
func paired(g *generate.Gen, x pairing) *message.Message {
	m := x.b.in(g)
	x.a.ensure(g, m)
	switch {
	case x.b.number() && x.vb != "":
		x.b.set(m, jsontree.NewNumber(g.Int(x.vb, -1)))
	case x.vb != "":
		x.b.set(m, jsontree.NewString(fill(g, x.vb)))
	}
	if x.va == "=" {
		x.a.set(m, jsontree.NewString(x.b.get(m).Text))
		return m
	}
	x.a.set(m, jsontree.NewString(fill(g, x.va)))
	return m
}
