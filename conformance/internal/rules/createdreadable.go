package rules

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/rule"
)

// createdReadable: what was made can be read.
var createdReadable = rule.Rule{
	Name:        "created-readable",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request that reads what an accepted request made is not answered with 404 or 410. After 202 the thing may not be there yet, unless it was read before. A thing that was made with a time may be over, where the document lists 410.",
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
		case p.Got.Status == http.StatusGone && p.Op.Lists(http.StatusGone) != nil && timed(made):
			return rule.None
		}
		return verdictOf(false, p, "a success, because "+made.Op.Name()+" made it")
	},
}

// timed reports whether a request has a time: that may be when what it makes is over.
func timed(made *rule.Earlier) bool {
	if made.Op.Body == nil || made.Op.Body.Shape == nil || made.Sent.Body.Root() == nil {
		return false
	}
	return slices.ContainsFunc(made.Op.Body.Shape.Schema.Properties, func(q *contract.Property) bool {
		return (q.Schema.Format == "date-time" || q.Schema.Format == "date") && made.Sent.Body.Root().Get(q.Name) != nil
	})
}

// readBefore reports whether the same request found the thing before, at another address.
func readBefore(p *rule.Input) bool {
	return slices.ContainsFunc(p.History, func(e rule.Earlier) bool { return e.Op == p.Op && e.Got.Success() })
}
