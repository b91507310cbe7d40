package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// storedReplaced: reading gives what replacing gave.
var storedReplaced = rule.Rule{
	Name:        "stored-replaced",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PUT replaced has the values of the PUT, as its answer gave them, and not only those from before. What is left of a value fails even if its answer had it.",
	Explanation: "Reading a resource after a successful PUT returns the values of the PUT.",
	Fix:         "Store every member of the PUT before you answer, and clear what caches the old ones.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPut || !p.Got.Success() {
			return rule.None
		}
		return stored(p, by, at)
	},
}
