package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// alternativeEach is how often each alternative is sent.
const alternativeEach = 2

var credentialAlternatives = plan.Mutator{
	Name: "credential-alternatives",
	Doc:  "Sends the valid credentials of each other alternative of the security, or none where the document allows that, because each is enough.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, a := range s.Auth.Others() {
			out = append(out, presenting(s, a, validBody, plan.ExpectMayRefuse, alternativeEach, func(g *generate.Gen, _ int) *message.Message {
				return g.Baseline()
			}))
		}
		return out
	},
}
