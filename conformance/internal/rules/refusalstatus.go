package rules

import (
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// refusalStatus: the status of a refusal is documented.
var refusalStatus = rule.Rule{
	Name:        "refusal-status",
	Rank:        rule.Status,
	Doc:         "An answer other than a success has one of the documented statuses in Statuses, or any 4xx if none is documented. For refused credentials and unusual transport any 4xx is correct.",
	Explanation: "A response that is not a success has one of the documented status codes, or any 4xx if none is documented. A refused credential and unusual headers, framing or sizes may get any 4xx.",
	Fix:         "Return the documented status for every refusal, also for those that the framework makes.",
	Check: func(p *rule.Input) rule.Outcome {
		switch p.Sent.Expectation() {
		case request.Either, request.Refuse:
			if p.Got.Success() {
				return rule.None
			}
			return expected(documented(p) && p.Got.Refusal(), p)
		case request.Anything, request.RefuseAnyhow:
			if p.Got.Success() || p.Sent.Credential != request.CredentialValid {
				return rule.None
			}
			return verdictOf(p.Got.Refusal() || p.Sent.Refusable(p.Got.Status), p, "a success or a client error")
		}
		return rule.None
	},
}
