package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// refusesCredential: a request without the valid credential is never a success.
var refusesCredential = rule.Rule{
	Name:        "refuses-credential",
	Rank:        rule.Class,
	Role:        rule.RoleCredentialRefusal,
	Doc:         "A request whose credential is absent, of another scheme, malformed or wrong is never a success. Kind is absent, scheme or token.",
	Explanation: "A request whose credential is missing, malformed, wrong, or of another scheme never succeeds.",
	Fix:         "Compare the whole credential, scheme and token, on every request, before anything is stored.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Sent.Expectation() != request.RefuseCredential || credentialKind(p.Sent.CredentialOf(p.Requirement.Args.Scheme)) != p.Requirement.Args.Kind {
			return rule.None
		}
		if p.Got.Redirect() {
			return rule.None // it may lead to where one signs in
		}
		if p.Sent.PathRespelled && p.Got.Success() && !asDocumented(p.Got) {
			return rule.None // it may be what answers for every other path
		}
		return expected(!p.Got.Success(), p)
	},
}

// asDocumented reports whether an answer has a documented status, media type and body.
func asDocumented(g *rule.Answer) bool {
	return g.Documented != nil && g.Documented.Matches(g.Status) && g.Form != nil &&
		(g.Form.Shape == nil || g.Reading != nil && g.Reading.Kind == contract.MustAccept)
}

func credentialKind(c request.Credential) string {
	switch c {
	case request.CredentialAbsent:
		return "absent"
	case request.CredentialScheme:
		return "scheme"
	case request.CredentialToken:
		return "token"
	}
	return ""
}
