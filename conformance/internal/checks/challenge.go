package checks

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// challenge: a refused credential gets 401 with the header that HTTP requires, or
// another documented refusal.
var challenge = rule.Rule{
	Name:        "challenge",
	Rank:        rule.Advice,
	Doc:         "A refused credential is answered with 401 and WWW-Authenticate, with 403 where a credential was sent, or with 400. A documented refusal also passes if the body has to be refused too, and a documented 404 if the path names a thing: a server may hide that it exists (RFC 9110, 15.5.4).",
	Explanation: "A refused credential is answered with 401 and WWW-Authenticate, with 400, or, if a credential was sent, with 403.",
	Fix:         "Send WWW-Authenticate: Bearer with every 401 (RFC 9110, 11.6.1; RFC 6750, 3).",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Sent.Expectation() != message.RefuseCredential || p.Sent.CredentialOf(p.Requirement.Args.Scheme) == message.CredentialValid || p.Sent.CredentialTransport || len(p.Sent.Transport) > 0 {
			return rule.None
		}
		const want = "401 with WWW-Authenticate, 403 where a credential was sent, or 400"
		switch p.Got.Status {
		case 400:
			return rule.Passed
		case 429:
			return rule.None // throttled after many others
		case 403:
			return verdictOf(p.Sent.Credential != message.CredentialAbsent, p, want)
		case 401:
			if p.Exchange.Response.Get("WWW-Authenticate") == "" {
				return rule.Failed("401 without challenge", want, "401 without WWW-Authenticate")
			}
			return rule.Passed
		}
		hides := p.Got.Status == 404 && strings.Contains(p.Op.Path, "{")
		if p.Got.Documented != nil && p.Got.Refusal() && (hides || p.Sent.Flawed()) {
			return rule.Passed
		}
		return rule.Failed(signature(p), want, describe(p))
	},
}
