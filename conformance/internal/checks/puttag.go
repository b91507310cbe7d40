package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// putTag: the entity tag in the answer to a PUT is that of what it stored.
var putTag = rule.Rule{
	Name:        "put-tag",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "The success of a PUT does not have the strong entity tag that a read had before, if the next read has another one. A success without a tag, or with one of its own, is left open.",
	Explanation: "A PUT is answered with the ETag of what it stored, or without one. With the ETag from before, the next conditional request of the client fails.",
	Fix:         "Make the ETag of the answer after the change is stored.",
	Check: func(p *rule.Input) rule.Outcome {
		before, now := reread(p), p.Exchange.Response.Get("ETag")
		by, _ := p.Wrote()
		if before == nil || by == nil || by.Op.Method != http.MethodPut || !by.Got.Success() || by.Aside || !strongTag(by.Tag) || !strongTag(now) {
			return rule.None
		}
		switch {
		case by.Tag == now:
			return rule.Passed
		case by.Tag == before.Tag:
			return rule.Failed("old tag", "the ETag that the next read has, or none", "the ETag from before the change")
		}
		return rule.None
	},
}
