package checks

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// someAccepted: if implementations may refuse values of a member, one accepted
// value is enough.
var someAccepted = rule.Rule{
	Name:        "some-accepted",
	Rank:        rule.Class,
	Doc:         "Of the valid requests that give the member at Path, at least one is a success: the document does not say which values are accepted, only that the member may be sent.",
	Explanation: "Of the valid requests that contain this member at least one succeeds. The document does not say which values are accepted, only that the member may be sent.",
	Fix:         "Accept the member that the document lists.",
	AnyPass:     true,
	Check: func(p *rule.Input) rule.Outcome {
		b, path := p.Sent.Body, p.Requirement.Args.Key.Path
		if b == nil || p.Sent.Expectation() != message.Either || p.Sent.Reused || len(b.Reasons) != 1 ||
			b.Reasons[0].Path != path || b.Reasons[0].What != openapi.GivenValue {
			return rule.None
		}
		if p.Got.Accepts() {
			return rule.Passed
		}
		return rule.Failed(signature(p), "a success for at least one value", describe(p))
	},
}
