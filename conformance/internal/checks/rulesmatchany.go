package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// matchAny: If-Match: * is false if the resource does not exist.
var matchAny = rule.Rule{
	Name:        "match-any",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A PUT with If-Match: * is no success after the thing was deleted and a read was answered with 404 or 410: the condition is false where there is no representation.",
	Explanation: "A PUT with If-Match: * does not create a resource again that was deleted. The asterisk means that some version of it exists.",
	Fix:         "Answer 412 or 404 if the request has If-Match and the resource does not exist.",
	Check: func(p *rule.Input) rule.Outcome {
		read := justRead(p)
		if p.Op.Method != http.MethodPut || read == nil || !read.Got.Missing() || !p.Deleted() || fieldOf(p, "If-Match") != "*" {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "412 or 404, because nothing matches If-Match: *")
	},
}
