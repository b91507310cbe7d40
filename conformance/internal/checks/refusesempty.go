package checks

import (
	"plantstore/conformance/internal/rule"
)

// refusesEmpty: a request without its required body is refused.
var refusesEmpty = rule.Rule{
	Name:        "refuses-empty",
	Rank:        rule.Class,
	Role:        rule.RoleRefusal,
	Doc:         "A request without a required body is not a success.",
	Explanation: "A request without a body, where one is required, is refused.",
	Fix:         "Refuse a request without a body before decoding it. Do not treat it as an empty object.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Sent.Expectation().Refuses() || !p.Sent.Body.Empty {
			return rule.None
		}
		return mustRefuse(p)
	},
}
