package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// matchWeak: a weak tag never matches in If-Match.
var matchWeak = rule.Rule{
	Name:        "match-weak",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A write with a weak tag in If-Match is no success, where the current tag is the same one without W/ and the same operation was answered with 412 to another tag.",
	Explanation: "If-Match is compared strongly: a weak tag matches nothing, because it may stand for several representations.",
	Fix:         "Compare If-Match with the current ETag as it is written, with W/, and let no weak tag match.",
	Check: func(p *rule.Input) rule.Outcome {
		read, write := beforeWrite(p)
		if read == nil || write.Got.Status != http.StatusPreconditionFailed || fieldOf(p, "If-Match") != "W/"+read.Tag {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because a weak tag matches nothing in If-Match")
	},
}
