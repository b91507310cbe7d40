package checks

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// credentialRefusal: the refusal of a credential is a client error, not a redirect.
var credentialRefusal = rule.Rule{
	Name:        "credential-refusal",
	Rank:        rule.Status,
	Role:        rule.RoleCredentialAnswer,
	Doc:         "A refused credential is answered with a client error (4xx), not with a redirect or another class.",
	Explanation: "A refused credential is answered with a client error (4xx), not with a redirect or any other status.",
	Fix:         "Return 401 with WWW-Authenticate, 403 or 400. Do not redirect API clients to a login page.",
	Check: func(p *rule.Input) rule.Outcome {
		// If a credential may be accepted, any answer but a success refuses it, or
		// refuses the body if that must be refused.
		may := p.Sent.Expectation() == message.Anything
		if p.Sent.CredentialOf(p.Requirement.Args.Scheme) == message.CredentialValid || may && (p.Got.Success() || flawed(p.Sent.Body)) {
			return rule.None
		}
		if p.Got.Redirect() {
			return rule.None
		}
		// An unusual head may be refused in another way, by whatever reads it
		// first, but not with a redirect that nothing in it asks for.
		if len(p.Sent.Transport) > 0 && (may || p.Got == nil || p.Got.Status/100 != 3 || p.Sent.Turned()) {
			return rule.None
		}
		return expected(p.Got.Refusal(), p)
	},
}

// flawed reports whether a body must be refused whatever the credential is.
func flawed(b *openapi.Reading) bool {
	return b != nil && (b.Kind == openapi.Invalid || b.Kind == openapi.NotJSON)
}
