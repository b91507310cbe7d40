package checks

import (
	"plantstore/conformance/internal/rule"
)

// ifMatch: a change of an older state is refused.
var ifMatch = rule.Rule{
	Name:        "if-match",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the entity tag from before an accepted change in If-Match is no success. Another request shows that the tag is a new one.",
	Explanation: "A write with If-Match and the ETag from before another write is refused, so that no update is lost.",
	Fix:         "Compare If-Match with the current ETag in the same transaction as the write, and answer 412 (Precondition Failed) if they differ.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Retagged() {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the ETag is not the current one")
	},
}
