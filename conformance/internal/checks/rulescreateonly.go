package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// createOnly: If-None-Match: * is false if the resource exists.
var createOnly = rule.Rule{
	Name:        "create-only",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A PUT with If-None-Match: * of a thing that was just read is no success.",
	Explanation: "A PUT with If-None-Match: * creates a resource, and replaces none that exists.",
	Fix:         "Answer 412 (Precondition Failed) if the request has If-None-Match: * and the resource exists, in the same statement as the write.",
	Check: func(p *rule.Input) rule.Outcome {
		read := justRead(p)
		if p.Op.Method != http.MethodPut || read == nil || !read.Got.Success() || fieldOf(p, "If-None-Match") != "*" {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the resource exists")
	},
}
