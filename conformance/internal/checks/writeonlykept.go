package checks

import "plantstore/conformance/internal/rule"

// writeOnlyKept: what a request gave to a writeOnly member is not read afterwards.
var writeOnlyKept = rule.Rule{
	Name:        "write-only-kept",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads a thing does not have the value that an accepted request gave to a writeOnly member, although the schema of the answer lets it have further members.",
	Explanation: "Reading a resource does not show what a client gave to a writeOnly member, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Check: func(p *rule.Input) rule.Outcome {
		out := rule.None
		for i := range p.History {
			e := &p.History[i]
			sent := written(p, e)
			if !p.Got.Success() || sent == nil {
				continue
			}
			switch one := returned(p, e.Op, sent); one {
			case rule.None:
			case rule.Passed:
				out = rule.Passed
			default:
				return one
			}
		}
		return out
	},
}
