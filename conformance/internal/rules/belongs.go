package rules

import (
	"plantstore/conformance/internal/rule"
)

// belongs: the answer has no values of another request.
var belongs = rule.Rule{
	Name:        "belongs",
	Rank:        rule.Echo,
	Role:        rule.RoleBelonging,
	Doc:         "In a success no member of the answer has a value that only another request sent in the member of the same name. Values that several requests sent are not judged.",
	Explanation: "A successful response contains no value of another request. Only values that a single request sent are compared.",
	Fix:         "Do not keep data of a request in variables that requests share. Check caches, buffers and handlers that are reused before the answer is written.",
	Check: func(p *rule.Input) rule.Outcome {
		if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading.Root() == nil || p.Sent.Reused {
			return rule.None
		}
		for i, origin := range origins(p) {
			if origin == rule.OtherRequest {
				return rule.Failed("belongs", "no value of another request", "the "+p.Got.Reading.Root().Members[i].Name+" of another request")
			}
		}
		return rule.Passed
	},
}
