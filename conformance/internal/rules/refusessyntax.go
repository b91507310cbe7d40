package rules

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/rule"
)

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
