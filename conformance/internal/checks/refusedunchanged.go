package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// refusedUnchanged: what is refused changes nothing.
var refusedUnchanged = rule.Rule{
	Name:        "refused-unchanged",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads a thing after a refused request about it has the values from before. After 408 the request may have been handled in part.",
	Explanation: "A request that is refused leaves the resource as it was: a change is made as a whole or not at all.",
	Fix:         "Check the whole request before you change anything, or change everything in one transaction.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Got.Refusal() || by.Got.Status == http.StatusRequestTimeout || !p.Got.Success() {
			return rule.None
		}
		return changedRest(p, at, nil, by.Op.Name()+" that was refused")
	},
}
