package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// answerJSON: the body of an answer is a JSON text in UTF-8.
var answerJSON = rule.Rule{
	Name:        "answer-json",
	Rank:        rule.JSON,
	Doc:         "The body of the answer is one JSON text in UTF-8 without a byte order mark. What the request contained may come back: lone surrogates, depth.",
	Explanation: "The response body is one JSON text in UTF-8 without a byte order mark. What the request itself contained may come back, such as lone surrogates.",
	Fix:         "Let a JSON library write the whole body, in UTF-8, with nothing before or after the value.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) || p.Got.Form == nil || p.Got.Form.Shape == nil || p.Got.NotJSON || p.Op.Method == "HEAD" {
			return rule.None
		}
		const want = "a JSON text in UTF-8"
		r := p.Exchange.Response
		if r.ContentErr != nil {
			return rule.None
		}
		if p.Got.Reading.Kind == openapi.NotJSON {
			if len(r.Content) == 0 {
				return rule.Failed("empty", want, "an empty body")
			}
			return rule.Failed("syntax", want, p.Got.Reading.Syntax.Error())
		}
		d := p.Got.Reading.Document
		switch {
		case d == nil:
			return rule.Passed
		case d.Has(jsontree.ByteOrderMark):
			return rule.Failed("bom", want, "a byte order mark")
		case d.Has(jsontree.InvalidUTF8) && !sentIssue(p, jsontree.InvalidUTF8):
			return rule.Failed("utf-8", want, "invalid UTF-8")
		}
		return rule.Passed
	},
}
