package checks

import (
	"plantstore/conformance/internal/rule"
)

// storedCreated: reading gives what creating gave.
var storedCreated = rule.Rule{
	Name:        "stored-created",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted request made has the values of that request, as its answer gave them. Only members that both have are compared; spellings that stores change are equal. What is left of a value, such as a text that was cut, fails even if its answer had it.",
	Explanation: "Reading a resource returns the values that it was created with, in the form in which the creating response returned them.",
	Fix:         "Store every member that you accept, and return what is stored.",
	Check: func(p *rule.Input) rule.Outcome {
		made := p.Made()
		if made == nil || !made.Got.Success() || len(p.History) > 1 || !p.Got.Success() {
			return rule.None
		}
		return stored(p, made, 0)
	},
}
