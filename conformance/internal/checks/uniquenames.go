package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// uniqueNames: no object of an answer has two members of the same name.
var uniqueNames = rule.Rule{
	Name:        "unique-names",
	Rank:        rule.Advice,
	Doc:         "Member names within an object of an answer are unique.",
	Explanation: "No object in a response contains the same member name twice.",
	Fix:         "Build the answer from one object. Parsers differ in which duplicate they use (RFC 8259, 4).",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Got == nil || p.Got.Reading == nil || p.Got.Reading.Document == nil {
			return rule.None
		}
		if p.Got.Reading.Document.Has(jsontree.DuplicateName) && !sentIssue(p, jsontree.DuplicateName) {
			return rule.Failed("duplicate", "unique member names", "a duplicate name")
		}
		return rule.Passed
	},
}
