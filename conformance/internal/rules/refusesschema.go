package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/rule"
)

// refusesSchema: a body that breaks one keyword of the schema.
var refusesSchema = rule.Rule{
	Name: "refuses-schema",
	Rank: rule.Class,
	Role: rule.RoleRefusal,
	Doc:  "A body that breaks the keyword of Key at its place is not a success. A body that breaks several is charged to the first row that accepting it speaks against, after shrinking.",
	Mend: "check this keyword when reading the body, before anything is converted: no coercion, no default, no truncation",
	Check: func(p *rule.Pass) rule.Outcome {
		b := p.Sent.Body
		if !p.Sent.Duty().Refuses() || b.Kind != contract.Invalid || !b.Violates(p.Requirement.Args.Key) {
			return rule.None
		}
		return owed(!p.Got.Success(), p)
	},
}
