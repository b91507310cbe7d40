package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
)

// refusesSchema: a body that violates one keyword of the schema is refused.
var refusesSchema = rule.Rule{
	Name:        "refuses-schema",
	Rank:        rule.Class,
	Role:        rule.RoleRefusal,
	Doc:         "A request that violates the keyword of Key at its place is not a success. If it violates several keywords, it is shrunk first and reported under the one that remains. With the kind any, every keyword counts.",
	Explanation: "A request that violates this keyword of the schema is refused. If it violates several keywords, it is shrunk first and reported under the one that remains.",
	Fix:         "Check this keyword when you read the value, before any conversion: no coercion, no default, no truncation.",
	Check: func(p *rule.Input) rule.Outcome {
		b := p.Sent.Body
		if !p.Sent.Expectation().Refuses() || b.Kind != openapi.Invalid {
			return rule.None
		}
		if args := p.Requirement.Args; args.Kind != requirement.AnyKeyword && !b.Violates(args.Key) {
			return rule.None
		}
		return mustRefuse(p)
	},
}
