package rules

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// notModified: what the client has is not sent again.
var notModified = rule.Rule{
	Name:        "not-modified",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the current entity tag in If-None-Match is answered with 304. An answer with another tag shows that the thing changed meanwhile.",
	Explanation: "A read with If-None-Match and the ETag of the last response is answered with 304 (Not Modified).",
	Fix:         "Compare If-None-Match with the current ETag, and answer 304 without a body if they match.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		switch {
		case before == nil || before.Tag == "" || !p.Got.Accepts():
			return rule.None
		case p.Got.Success() && p.Exchange.Response.Get("ETag") != before.Tag:
			return rule.None
		}
		return verdictOf(p.Got.Status == http.StatusNotModified, p, "304, because the ETag is the current one")
	},
}
