package checks

import (
	"plantstore/conformance/internal/rule"
)

// answerHeader: a required header field of an answer is there.
var answerHeader = rule.Rule{
	Name:        "answer-header",
	Rank:        rule.Header,
	Doc:         "An answer with one of the Statuses has the header field Header, which the document requires. An empty value counts.",
	Explanation: "The response has this header field, which the document requires.",
	Fix:         "Set this header field on every response with the status, also on those that the framework makes.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) {
			return rule.None
		}
		name := p.Requirement.Args.Header
		if len(p.Exchange.Response.Values(name)) == 0 {
			return rule.Failed("missing", p.Requirement.Sentence, "no "+name+" in "+describe(p))
		}
		return rule.Passed
	},
}
