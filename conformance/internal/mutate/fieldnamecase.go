package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var fieldNameCase = plan.Mutator{
	Name: "field-name-case",
	Doc:  "Writes the names of the header fields in lower or upper case, or other white space after their colons, as many clients and proxies do, because neither has a meaning (RFC 9110, 5.1; RFC 9112, 5.1).",
	Classes: func(s *plan.Space) []plan.Class {
		out := listed(of(plan.FamilyValid, wholeBody, "field-case", plan.ExpectMustAccept), []func(string) string{strings.ToLower, strings.ToUpper},
			func(g *generate.Gen, names func(string) string) *message.Message {
				m := g.Baseline()
				m.Names = names
				return m
			})
		for _, gap := range []message.Gap{message.NoBlank, message.TwoBlanks} {
			out = append(out, single(of(plan.FamilyValid, wholeBody, gap.String(), plan.ExpectMustAccept), 1, func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				m.Gap = gap
				return m
			}))
		}
		return out
	},
}
