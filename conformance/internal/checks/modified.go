package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// modified: what changed is sent again.
var modified = rule.Rule{
	Name:        "modified",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request with the entity tag from before an accepted change in If-None-Match is not answered with 304. Another request shows that the tag is a new one.",
	Explanation: "A read with If-None-Match and the ETag from before a change is not answered with 304 (Not Modified).",
	Fix:         "Make the ETag from the stored values or from a version that every write increments, and clear caches when a resource changes.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Retagged() || !p.Got.Accepts() {
			return rule.None
		}
		return verdictOf(p.Got.Status != http.StatusNotModified, p, "no 304, because the resource changed")
	},
}
