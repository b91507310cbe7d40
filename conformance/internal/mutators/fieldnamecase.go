package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

var fieldNameCase = plan.Mutator{
	Name: "field-name-case",
	Doc:  "Writes the names of the header fields in lower or upper case, as many clients and proxies do, because their case has no meaning (RFC 9110, 5.1).",
	Classes: func(s *plan.Space) []plan.Class {
		return listed(of(plan.FamilyValid, wholeBody, "field-case", plan.ExpectMustAccept), []func(string) string{strings.ToLower, strings.ToUpper},
			func(g *generate.Gen, names func(string) string) *request.Message {
				m := g.Baseline()
				m.Names = names
				return m
			})
	},
}
