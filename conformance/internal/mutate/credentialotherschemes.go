package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// otherSchemeEach is how often each credential of another scheme is sent.
const otherSchemeEach = 2

var credentialOtherSchemes = plan.Mutator{
	Name: "credential-other-schemes",
	Doc:  "Sends the valid credential of a security scheme that other operations ask for and this one does not, because a check that all operations share lets it in.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, a := range s.Auth.OtherSchemes(s.Given) {
			out = append(out, presenting(s, a, validBody, plan.ExpectRefusedCredential, otherSchemeEach, func(g *generate.Gen, _ int) *message.Message {
				return g.Baseline()
			}))
		}
		return out
	},
}
