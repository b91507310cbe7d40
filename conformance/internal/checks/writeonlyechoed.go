package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// writeOnlyEchoed: what a request gives to a writeOnly member is not in its answer.
var writeOnlyEchoed = rule.Rule{
	Name:        "write-only-echoed",
	Rank:        rule.Advice,
	Doc:         "The success of a valid request does not have the value that the request gave to a writeOnly member, although the schema of the answer lets it have further members. Where that schema names the member, write-only judges it.",
	Explanation: "The response to a request does not contain what the request gave to a writeOnly member, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Got.Success() || p.Sent.Body == nil || p.Sent.Body.Kind >= openapi.Invalid {
			return rule.None
		}
		return returned(p, p.Op, p.Sent.Body.Root())
	},
}
