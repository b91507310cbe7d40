package checks

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// acceptsCredential: the unusual spellings that bearer authentication allows are
// accepted.
var acceptsCredential = rule.Rule{
	Name:        "accepts-credential",
	Rank:        rule.Advice,
	Role:        rule.RoleCredentialAcceptance,
	Doc:         "The valid credential is accepted in every spelling that HTTP authentication allows. Kind is case (scheme name in any case) or blanks (several spaces after it).",
	Explanation: "A valid credential is accepted in every spelling that HTTP authentication allows: with the scheme name in any case, or with several spaces after it.",
	Fix:         "Compare the scheme name without regard to case, and skip all spaces after it (RFC 9110, 11.1 and 11.4).",
	Check: func(p *rule.Input) rule.Outcome {
		want := message.CredentialCase
		if p.Requirement.Args.Kind == "blanks" {
			want = message.CredentialBlanks
		}
		if p.Sent.Credential != want || p.Sent.CredentialOf(p.Requirement.Args.Scheme) != want || len(p.Sent.Transport) > 0 || p.Sent.Body != nil && p.Sent.Body.Kind > 0 {
			return rule.None
		}
		if p.Got.Accepts() {
			return rule.Passed
		}
		return rule.Failed(signature(p), "a success", describe(p))
	},
}
