package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// notModified: what the client has is not sent again.
var notModified = rule.Rule{
	Name:        "not-modified",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the current entity tag in If-None-Match is answered with 304, also if the tag is one of a list or weak, or an asterisk stands for it. The rule if-none-match judges the tag alone, as it came. An answer with another tag shows that the thing changed meanwhile.",
	Explanation: "A read with If-None-Match and the ETag of the last response is answered with 304 (Not Modified). The tag may be one of a list, W/ makes no difference, and an asterisk matches any tag.",
	Fix:         "Compare each tag of If-None-Match with the current ETag, both without W/, and answer 304 without a body if one matches.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || fieldOf(p, "If-None-Match") == before.Tag {
			return rule.None
		}
		return unchanged(p, before)
	},
}
