package rules

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/rule"
)

// createdReadable: what was made can be read.
var createdReadable = rule.Rule{
	Name:        "created-readable",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads what an accepted request made is not answered with 404 or 410. After 202 the thing may not be there yet, unless it was read before.",
	Explanation: "What a request created can be read, by the identifier or the Location of the response. The read is repeated for as long as --settle says.",
	Fix:         "Store what you create before you answer, and look it up by the identifier that you return.",
	Check: func(p *rule.Input) rule.Outcome {
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Deleted():
			return rule.None
		case p.Got.Success():
			return rule.Passed
		case made.Got.Status == http.StatusAccepted && !readBefore(p) || p.Got.Status != http.StatusNotFound && p.Got.Status != http.StatusGone:
			return rule.None // it may be refused for another reason
		}
		return verdictOf(false, p, "a success, because "+made.Op.Name()+" made it")
	},
}

// readBefore reports whether the same request found the thing before, at another address.
func readBefore(p *rule.Input) bool {
	return slices.ContainsFunc(p.History, func(e rule.Earlier) bool { return e.Op == p.Op && e.Got.Success() })
}
