package mutate

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var headerFields = plan.Mutator{
	Name: "header-fields",
	Doc:  "Sends a valid body with unusual header fields, such as other content types and large fields, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		left := []string{"Accept", "User-Agent"}
		if s.Op.HasJSON() {
			left = append(left, "Content-Type")
		}
		var out []plan.Class
		for _, k := range headKinds(s.Op) {
			family, expected := plan.FamilyMayRefuse, plan.ExpectMayRefuse
			if k.kind == "accept-any" && answersJSON(s.Op) {
				family, expected = plan.FamilyValid, plan.ExpectMustAccept // JSON is taken, and nothing else asked for
			}
			if k.kind == "accept-any" && !answersJSON(s.Op) || k.kind == "accept-one" {
				expected = plan.ExpectNothing
			}
			out = append(out, listed(of(family, transport, k.kind, expected), k.fields, func(g *generate.Gen, f exchange.Field) *message.Message {
				m := g.Baseline()
				if k.kind == "accept-charset" {
					m = wideIfValid(s, g, m) // ASCII is the same in most of them
				}
				m.Fields = append(m.Fields, inParts(m, freshField(g, f)))
				return m
			})...)
		}
		for _, name := range left {
			family, expected := plan.FamilyMayRefuse, plan.ExpectMayRefuse
			if name == "Accept" {
				family, expected = plan.FamilyValid, plan.ExpectMustAccept
			}
			out = append(out, listed(of(family, transport, strings.ToLower(name)+"-absent", expected), make([]int, 2), func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Drop = append(m.Drop, name)
				return m
			})...)
		}
		out = append(out, listed(of(plan.FamilyMayRefuse, transport, "query", plan.ExpectNothing), []string{"x=1", "debug=true", "a[]=1&a[]=2&%zz"}, func(g *generate.Gen, query string) *message.Message {
			m := g.Baseline()
			m.Query = query
			return m
		})...)
		return append(out, listed(of(plan.FamilyMayRefuse, transport, "many-header-fields", plan.ExpectMayRefuse), []int{20, 40, 60, 90}, func(g *generate.Gen, n int) *message.Message {
			m := g.Baseline()
			for i := range n {
				m.Fields = append(m.Fields, exchange.Field{Name: "X-Field-" + strconv.Itoa(i), Value: "x"})
			}
			return m
		})...)
	},
}
