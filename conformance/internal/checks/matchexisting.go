package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// matchExisting: If-Match: * is true if the resource exists.
var matchExisting = rule.Rule{
	Name:        "match-existing",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A write with If-Match: * of a thing that was just read is not answered with 412, where the same operation was accepted with its tag. Other answers say nothing of the field.",
	Explanation: "If-Match: * is true for every resource that exists, whatever its ETag is.",
	Fix:         "Compare If-Match with the current ETag only if it is not an asterisk.",
	Check: func(p *rule.Input) rule.Outcome {
		read, write := beforeWrite(p)
		if read == nil || !write.Got.Success() || fieldOf(p, "If-Match") != "*" {
			return rule.None
		}
		if p.Got.Status != http.StatusPreconditionFailed && !p.Got.Success() {
			return rule.None
		}
		return verdictOf(p.Got.Success(), p, "a success, because If-Match: * matches what exists")
	},
}
