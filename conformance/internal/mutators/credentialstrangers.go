package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// strangerEach is how often each credential of another scheme is sent.
const strangerEach = 2

var credentialStrangers = plan.Mutator{
	Name: "credential-strangers",
	Doc:  "Sends the valid credential of a security scheme that other operations ask for and this one does not, because a check that all operations share lets it in.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, a := range s.Auth.Strangers(s.Auths) {
			out = append(out, presenting(s, a, "valid-body", plan.ExpectRefusedCredential, strangerEach, func(g *generate.Gen, _ int) *request.Message {
				return g.Baseline()
			}))
		}
		return out
	},
}
