package rules

import (
	"plantstore/conformance/internal/rule"
)

// successStatus: the status of a success is documented.
var successStatus = rule.Rule{
	Name:        "success-status",
	Rank:        rule.Status,
	Doc:         "A success has one of the documented statuses in Statuses.",
	Explanation: "A success has one of the documented status codes.",
	Fix:         "Return the documented status. 201 or 204 would be another contract.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Got.Success() {
			return rule.None
		}
		return expected(documented(p), p)
	},
}
