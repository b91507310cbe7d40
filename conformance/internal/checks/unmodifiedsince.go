package checks

import (
	"plantstore/conformance/internal/rule"
)

// unmodifiedSince: a change of an older state is refused.
var unmodifiedSince = rule.Rule{
	Name:        "unmodified-since",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with a time before the Last-Modified of the thing in If-Unmodified-Since is no success.",
	Explanation: "A write with If-Unmodified-Since and a time before the last change is refused, so that no update is lost.",
	Fix:         "Compare If-Unmodified-Since with the time of the last change in the same transaction as the write, and answer 412 (Precondition Failed) if it is earlier.",
	Check: func(p *rule.Input) rule.Outcome {
		given, changed, ok := sinceOf(p, "If-Unmodified-Since")
		if !ok || !given.Before(changed) {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the resource changed after that time")
	},
}
