package rules

import "plantstore/conformance/internal/rule"

// belowOther: a thing is below the one alone below which it was made.
var belowOther = rule.Rule{
	Name:        "below-other",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads a thing below another one than that below which a POST made it does not show it. A success that has no text with which it was made is about another thing of the same key, and not judged.",
	Explanation: "A resource that was created below another one (POST /parents/1/things) is not found below a second one (GET /parents/2/things/7). Resources that can be created or put elsewhere too are not judged.",
	Fix:         "Look for the resource by all keys of the path, not by the last one alone.",
	Check: func(p *rule.Input) rule.Outcome {
		e := elsewhere(p, p.Op, p.Sent)
		switch {
		case e == nil:
			return rule.None
		case p.Got.Refusal():
			return rule.Passed
		case !p.Got.Success():
			return rule.None
		case !tells(p, p.Got.Reading.Root()):
			return rule.None
		}
		return verdictOf(false, p, "no success, because it was made below another one")
	},
}
