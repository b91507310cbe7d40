package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// duplicate makes the members of one name from the right value and another
// right one.
type duplicate struct {
	kind string
	make func(name string, one, two *jsontree.Value) []jsontree.Member
}

var duplicates = []duplicate{
	{"same-value", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, one)}
	}},
	{"other-value", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, two)}
	}},
	{"escaped", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), {Name: n, Raw: jsontree.Quote(n, jsontree.All), Value: two}}
	}},
	{"first-wrong", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, jsontree.NewArray()), jsontree.M(n, one)}
	}},
	{"last-wrong", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, jsontree.NewArray())}
	}},
	{"last-null", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, jsontree.NewNull())}
	}},
	{"three-times", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, two), jsontree.M(n, one)}
	}},
}

var duplicateNames = plan.Mutator{
	Name: "duplicate-names",
	Doc:  "Sends the same member name twice, because parsers disagree which one counts and may check one and store the other (RFC 8259, 4).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := inJSON(s, required(s))
		for _, d := range duplicates {
			out = append(out, mayRefuse(s, plan.Place{Name: "duplicate"}, d.kind, list, func(g *generate.Gen, p *place) *message.Message {
				m := p.in(g)
				up := p.up.get(m)
				i := slices.IndexFunc(up.Members, func(m jsontree.Member) bool { return m.Name == p.name })
				made := d.make(p.name, up.Members[i].Value, g.BaselineValue(p.schema))
				up.Members = slices.Concat(up.Members[:i], made[:1], up.Members[i+1:], made[1:])
				return m
			})...)
		}
		return out
	},
}
