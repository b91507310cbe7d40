package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// modifiedSince: what changed later is sent.
var modifiedSince = rule.Rule{
	Name:        "modified-since",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with a time before the Last-Modified of the thing in If-Modified-Since is not answered with 304.",
	Explanation: "A read with If-Modified-Since and a time before the last change is not answered with 304 (Not Modified).",
	Fix:         "Compare If-Modified-Since with the time of the last change: that the field is there says nothing.",
	Check: func(p *rule.Input) rule.Outcome {
		given, changed, ok := sinceOf(p, "If-Modified-Since")
		if !ok || !given.Before(changed) || !p.Got.Accepts() {
			return rule.None
		}
		return verdictOf(p.Got.Status != http.StatusNotModified, p, "no 304, because the resource changed after that time")
	},
}
