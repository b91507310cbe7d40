package checks

import (
	"plantstore/conformance/internal/rule"
)

// strongETag: a strong entity tag changes when a request changes the representation.
var strongETag = rule.Rule{
	Name:        "strong-etag",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Two answers that read a thing have different strong entity tags if they differ in a member to which a PUT or PATCH between them gave another value.",
	Explanation: "When a PUT or PATCH changes what a read shows, the strong ETag changes. A server that cannot tell marks its ETag as weak (W/).",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Check: func(p *rule.Input) rule.Outcome {
		before := reread(p)
		if before == nil || !strongChange(p, before) {
			return rule.None
		}
		if before.Tag == p.Exchange.Response.Get("ETag") {
			return rule.Failed("same tag", "another ETag than before the change, or a weak one", "the same strong ETag with another representation")
		}
		return rule.Passed
	},
}
