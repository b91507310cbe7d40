package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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
				out = append(out, mayRefuse(s, p.where(), group.kind, sampleOf(group.items, n), func(g *generate.Gen, item string) *message.Message {
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
	return mayRefuse(s, p.where(), "beside-optional", []string{"0", "-#"}, func(g *generate.Gen, item string) *message.Message {
		m := full(s, g)
		p.ensure(g, m)
		p.set(m, jsontree.NewNumber(spelled(item, p.get(m).Text)))
		return m
	})
}
