package checks

import (
	"strings"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// notJSON stands for a keyword if the document says that the field is JSON.
const notJSON = "json"

// answerHeaderSchema: a header field of an answer keeps one keyword of its schema.
var answerHeaderSchema = rule.Rule{
	Name: "answer-header-schema",
	Rank: rule.Header,
	Doc: "The value of the header field Header, where it is there, keeps the keyword of Key. It is read in style simple: the text is what the schema takes it for, " +
		"a number, true or false, a list, else a string. A URI has no blanks, quotes and brackets that RFC 3986, 2 does not allow. Where HTTP itself says what a field looks like, such as Location and Last-Modified, the keyword format is not judged.",
	Explanation: "The value of this header field satisfies this keyword of the documented schema. It is text: a number is written in digits, a list with commas.",
	Fix:         "Write this header field with the documented type and within the documented limits.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) {
			return rule.None
		}
		a := p.Requirement.Args
		for i, h := range p.Got.Documented.Headers {
			if h.Name != a.Header || i >= len(p.Got.Headers) {
				continue
			}
			r := p.Got.Headers[i]
			if r == nil || r.Kind == openapi.Undecided {
				return rule.None
			}
			if r.Kind == openapi.NotJSON && a.Key.Keyword != notJSON {
				return rule.None
			}
			value := p.Exchange.Response.Values(h.Name)[0]
			if r.Violates(a.Key) || r.Kind == openapi.NotJSON || a.Key.Keyword == "format" && noURI(h, value) {
				return rule.Failed(a.Key.Keyword, p.Requirement.Sentence, h.Name+": "+p.Shorten(value, 200)+" in "+describe(p))
			}
			return rule.Passed
		}
		return rule.None
	},
}

// noURI reports whether a field that is documented as a URI has an ASCII character that no
// URI and no IRI can have. Many libraries accept such a text, but here the server wrote it
// itself and did not just copy what it was sent.
func noURI(h *openapi.Header, value string) bool {
	f := h.Shape.Schema.Format
	return (f == "uri" || f == "uri-reference") && strings.ContainsAny(strings.TrimSpace(value), " <>\"{}|\\^`")
}
