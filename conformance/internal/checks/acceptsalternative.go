package checks

import (
	"slices"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// acceptsAlternative: every alternative of the security is enough.
var acceptsAlternative = rule.Rule{
	Name: "accepts-alternative",
	Rank: rule.Class,
	Role: rule.RoleCredentialAcceptance,
	Doc: "The credentials of an alternative that other requests do not use are accepted. Kind is its label. " +
		"Only 401 and, for an operation without parameters in the path, 403 refuse a credential: other refusals may be about what its owner may see.",
	Explanation: "Each alternative that the document lists under security is enough: its credentials are accepted like those of the others.",
	Fix:         "Check the credentials of every alternative that the document lists, and let the request pass if one is complete.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Sent.Credential != message.CredentialOther || p.Sent.Alternative != p.Requirement.Args.Kind || len(p.Sent.Transport) > 0 || p.Sent.Body != nil && p.Sent.Body.Kind > 0 {
			return rule.None
		}
		named := slices.ContainsFunc(p.Op.Parameters, func(q *openapi.Parameter) bool { return q.In == "path" })
		switch {
		case p.Got.Accepts():
			return rule.Passed
		case p.Got.Status == 401, p.Got.Status == 403 && !named && p.Sent.Alternative != "none":
			return rule.Failed(signature(p), "a success", describe(p))
		}
		return rule.None
	},
}
