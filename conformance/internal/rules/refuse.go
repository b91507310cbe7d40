package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/rule"
)

// refusesEmpty: a required body that is missing.
var refusesEmpty = rule.Rule{
	Name: "refuses-empty",
	Rank: rule.Class,
	Role: rule.RoleRefusal,
	Doc:  "A request without a body, where one is required, is not a success.",
	Mend: "refuse a request without a body before decoding it; do not take it for an empty object",
	Check: func(p *rule.Pass) rule.Outcome {
		if !p.Sent.Duty().Refuses() || !p.Sent.Body.Empty {
			return rule.None
		}
		return owed(!p.Got.Success(), p)
	},
}

// refusesSyntax: a body that is not JSON.
var refusesSyntax = rule.Rule{
	Name: "refuses-syntax",
	Rank: rule.Class,
	Role: rule.RoleRefusal,
	Doc:  "A body that breaks the grammar of RFC 8259 is not a success.",
	Mend: "use a strict JSON reader: read the whole body, one value, nothing behind it, no extensions",
	Check: func(p *rule.Pass) rule.Outcome {
		b := p.Sent.Body
		if !p.Sent.Duty().Refuses() || b.Kind != contract.NotJSON || b.Empty {
			return rule.None
		}
		return owed(!p.Got.Success(), p)
	},
}

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
