package rules

import (
	"plantstore/conformance/internal/rule"
)

// neverGiven: a key that no answer gave names nothing.
var neverGiven = rule.Rule{
	Name:        "never-given",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads a thing by a key that the target makes itself, and that no answer gave, is no success.",
	Explanation: "An identifier that the server never gave does not lead to a success.",
	Fix:         "Answer 404 where nothing has this identifier. Do not answer with an empty or another resource.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Made() == nil {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because no answer gave this key")
	},
}
