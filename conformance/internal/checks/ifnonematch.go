package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// ifNoneMatch: what the client has is not sent again to a request with its entity tag.
var ifNoneMatch = rule.Rule{
	Name:        "if-none-match",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the current entity tag in If-None-Match, as it came and alone, is answered with 304. An answer with another tag shows that the thing changed meanwhile.",
	Explanation: "A read with the ETag of the last response in If-None-Match is answered with 304 (Not Modified), where the document lists it.",
	Fix:         "Compare If-None-Match with the current ETag, and answer 304 without a body if it matches.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || fieldOf(p, "If-None-Match") != before.Tag {
			return rule.None
		}
		return unchanged(p, before)
	},
}
