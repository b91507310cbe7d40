package rules

import "plantstore/conformance/internal/rule"

// belowOther: a thing is found only below the one that it was made below.
var belowOther = rule.Rule{
	Name:        "below-other",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A thing that a POST made below one thing is not shown by an answer that reads it below another one. A success without any text that the thing was made with is about another thing of the same key, and is not judged.",
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
