package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// refusesCredential: whoever cannot authenticate gets nothing.
var refusesCredential = rule.Rule{
	Name: "refuses-credential",
	Rank: rule.Class,
	Role: rule.RoleCredentialRefusal,
	Doc:  "A request whose credential is absent, of another scheme, malformed or wrong is never a success. Kind is absent, scheme or token.",
	Mend: "compare the whole credential, scheme and token, on every request, before the body is looked at or after, but always before the success",
	Check: func(p *rule.Pass) rule.Outcome {
		if p.Sent.Duty() != request.RefuseCredential || credentialKind(p.Sent.Credential) != p.Requirement.Args.Kind {
			return rule.None
		}
		return owed(!p.Got.Success(), p)
	},
}

func credentialKind(c request.Credential) string {
	switch c {
	case request.CredentialAbsent:
		return "absent"
	case request.CredentialScheme:
		return "scheme"
	}
	return "token"
}

// credentialRefusal: the refusal is a client error, not a redirect.
var credentialRefusal = rule.Rule{
	Name: "credential-refusal",
	Rank: rule.Status,
	Role: rule.RoleCredentialAnswer,
	Doc:  "A refused credential is answered with a client error (4xx): no redirect, no other class.",
	Mend: "answer 401 with WWW-Authenticate, 403 or 400; do not send programs to a login page",
	Check: func(p *rule.Pass) rule.Outcome {
		// Where a credential may be taken, what is no success refuses it, or the
		// body where that must be refused.
		may := p.Sent.Duty() == request.Anything
		// An odd head may be refused otherwise, by whoever reads it first.
		if p.Sent.Credential == request.CredentialValid || p.Sent.CredentialLong || len(p.Sent.Transport) > 0 || may && (p.Got.Success() || flawed(p.Sent.Body)) {
			return rule.None
		}
		return owed(p.Got.Refusal(), p)
	},
}

// challenge: what HTTP asks of a 401.
var challenge = rule.Rule{
	Name: "challenge",
	Rank: rule.Advice,
	Doc:  "A refused credential is answered with 401 and WWW-Authenticate, with 403 where a credential was sent, or with 400.",
	Mend: "send WWW-Authenticate: Bearer with every 401 (RFC 9110, 11.6.1; RFC 6750, 3)",
	Check: func(p *rule.Pass) rule.Outcome {
		if p.Sent.Duty() != request.RefuseCredential || p.Sent.CredentialTransport || len(p.Sent.Transport) > 0 {
			return rule.None
		}
		const want = "401 with WWW-Authenticate, 403 where a credential was sent, or 400"
		switch p.Got.Status {
		case 400:
			return rule.Passed
		case 429:
			return rule.None // throttled after many others
		case 403:
			return verdictOf(p.Sent.Credential != request.CredentialAbsent, p, want)
		case 401:
			if p.Exchange.Response.Get("WWW-Authenticate") == "" {
				return rule.Failed("401 without challenge", want, "401 without WWW-Authenticate")
			}
			return rule.Passed
		}
		return rule.Failed(signature(p), want, describe(p))
	},
}

// flawed tells whether a body must be refused whoever sends it.
func flawed(b *contract.Reading) bool {
	return b != nil && (b.Kind == contract.Invalid || b.Kind == contract.NotJSON)
}
