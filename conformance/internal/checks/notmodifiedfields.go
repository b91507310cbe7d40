package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/rule"
)

// notModifiedFields: 304 says what 200 says of the representation.
var notModifiedFields = rule.Rule{
	Name:        "not-modified-fields",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer 304 to If-None-Match has the fields ETag, Content-Location, Cache-Control, Expires and Vary, if the read before had them. Their values are not compared.",
	Explanation: "A 304 has the fields ETag, Content-Location, Cache-Control, Expires and Vary, if a 200 would have them. A cache updates with them what it stores.",
	Fix:         "Set these fields before you compare If-None-Match, for both answers.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || !before.Got.Success() || len(before.Repeated) == 0 || p.Got.Status != http.StatusNotModified || fieldOf(p, "If-None-Match") == "" {
			return rule.None
		}
		for _, name := range before.Repeated {
			if p.Exchange.Response.Get(name) == "" {
				return rule.Failed("without "+name, strings.Join(before.Repeated, ", ")+", as in the answer 200 before", "304 without "+name)
			}
		}
		return rule.Passed
	},
}
