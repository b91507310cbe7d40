package checks

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// successStatus: the status of a success is documented.
var successStatus = rule.Rule{
	Name:        "success-status",
	Rank:        rule.Status,
	Doc:         "A success has one of the documented statuses in Statuses, or the response default stands for it. A redirect (3xx) that the document lists is one of them.",
	Explanation: "A success has one of the documented status codes. A redirect (3xx) that the document lists is one of them.",
	Fix:         "Return the documented status. 201 or 204 would be another contract.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Got.Success() && !(p.Got.Redirect() && p.Sent.Expectation() == message.Accept) {
			return rule.None
		}
		return verdictOf(documented(p), p, statuses(p.Op.Successes(), "a documented status"))
	},
}
