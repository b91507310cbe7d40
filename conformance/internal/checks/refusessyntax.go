package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// refusesSyntax: a body that is not JSON is refused.
var refusesSyntax = rule.Rule{
	Name:        "refuses-syntax",
	Rank:        rule.Class,
	Role:        rule.RoleRefusal,
	Doc:         "A body that is not a JSON text (RFC 8259) is not a success.",
	Explanation: "A body that is not valid JSON (RFC 8259) is refused.",
	Fix:         "Use a strict JSON parser. Read the whole body: exactly one value, nothing after it, no extensions.",
	Check: func(p *rule.Input) rule.Outcome {
		b := p.Sent.Body
		if !p.Sent.Expectation().Refuses() || b.Kind != openapi.NotJSON || b.Empty {
			return rule.None
		}
		return mustRefuse(p)
	},
}
