package mutate

import (
	"net/url"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var repeatedParameters = plan.Mutator{
	Name: "repeated-parameters",
	Doc:  "Sends a query parameter twice, with the same value and with another one, because many frameworks then give the code a list where it expects a text.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.section || p.up.path != "query" || p.schema.Type() == "array" || p.schema.Type() == "object" {
				return nil
			}
			var out []plan.Class
			for _, kind := range []string{"twice", "twice-alike"} {
				out = append(out, ahead(mayRefuse(s, p.where(), kind, []int{0}, func(g *generate.Gen, _ int) *message.Message {
					m := p.in(g)
					v := p.get(m)
					if kind == "twice" {
						v = g.BaselineValue(p.schema)
					}
					if v == nil || v.Kind == jsontree.Object || v.Kind == jsontree.Array {
						return nil
					}
					m.Query = url.QueryEscape(p.name) + "=" + url.QueryEscape(plainText(v))
					return m
				}))...)
			}
			return out
		})
	},
}
