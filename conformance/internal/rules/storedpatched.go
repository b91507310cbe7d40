package rules

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// storedPatched: reading gives what patching gave.
var storedPatched = rule.Rule{
	Name:        "stored-patched",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PATCH changed has the values of the PATCH, as its answer gave them, and not only those from before. What is left of a value fails even if its answer had it.",
	Explanation: "Reading a resource after a successful PATCH returns the values of the PATCH.",
	Fix:         "Store every member of the PATCH before you answer, and clear what caches the old ones.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPatch || !p.Got.Success() {
			return rule.None
		}
		return stored(p, by, at)
	},
}
