package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// answerForm: a body that is not JSON is what its media type says.
var answerForm = rule.Rule{
	Name:        "answer-form",
	Rank:        rule.JSON,
	Doc:         "The body of an answer that is a text or a form can be read: a text is in the charset that the content type names, a form has its parts or pairs, XML is well-formed. What readers read in different ways is not judged.",
	Explanation: "The response body can be read as its media type says: a text is in the stated charset, a form has its parts or pairs, XML is well-formed.",
	Fix:         "State the charset that the text is written in, best UTF-8, and let a library write forms and XML.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) || !p.Got.NotJSON || p.Got.Reading == nil {
			return rule.None
		}
		if p.Got.Reading.Kind == openapi.NotJSON {
			return rule.Failed("form", "a body of "+p.Got.Media, p.Got.Reading.Syntax.Error())
		}
		return rule.Passed
	},
}
