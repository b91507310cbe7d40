package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// notModifiedSince: what did not change is not sent again.
var notModifiedSince = rule.Rule{
	Name:        "not-modified-since",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the Last-Modified of the thing in If-Modified-Since is answered with 304. An answer with another Last-Modified shows that the thing changed meanwhile.",
	Explanation: "A read with If-Modified-Since and the Last-Modified of the last response is answered with 304 (Not Modified). The read is repeated for as long as --settle says: within the second of a change a server may send the resource again.",
	Fix:         "Compare If-Modified-Since with the time of the last change, cut to the second, and answer 304 without a body if it is not later.",
	Check: func(p *rule.Input) rule.Outcome {
		given, changed, ok := sinceOf(p, "If-Modified-Since")
		switch {
		case !ok || given.Before(changed) || !p.Got.Accepts():
			return rule.None
		case p.Got.Success() && p.Exchange.Response.Get("Last-Modified") != p.Last(http.MethodGet).Modified:
			return rule.None
		}
		return verdictOf(p.Got.Status == http.StatusNotModified, p, "304, because the time is that of the last change")
	},
}
