package checks

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// optional: a member that is not required may be left out.
var optional = rule.Rule{
	Name:        "optional",
	Rank:        rule.Class,
	Role:        rule.RoleOmission,
	Doc:         "A must-accept request without the optional member at Path is a success. A failure is reported here only if the target accepts the same request with the member.",
	Explanation: "A request without this optional member succeeds. A failure is reported here only if the server accepted the same request with the member.",
	Fix:         "Do not require a member that the document does not require.",
	Check: func(p *rule.Input) rule.Outcome {
		path := p.Requirement.Args.Key.Path
		if p.Sent.Expectation() != message.Accept || p.Sent.Body == nil || p.Sent.Body.At(path) != nil {
			return rule.None
		}
		if p.Got.Accepts() {
			return rule.Passed
		}
		if !p.Needs[path] {
			return rule.None
		}
		return expected(false, p)
	},
}
