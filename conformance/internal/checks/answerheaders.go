package checks

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
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

// challenge: a refused credential gets 401 with the header that HTTP requires, or
// another documented refusal.
var challenge = rule.Rule{
	Name:        "challenge",
	Rank:        rule.Advice,
	Doc:         "A refused credential is answered with 401 and WWW-Authenticate, with 403 where a credential was sent, or with 400. A documented refusal also passes if the body has to be refused too, and a documented 404 if the path names a thing: a server may hide that it exists (RFC 9110, 15.5.4).",
	Explanation: "A refused credential is answered with 401 and WWW-Authenticate, with 400, or, if a credential was sent, with 403.",
	Fix:         "Send WWW-Authenticate: Bearer with every 401 (RFC 9110, 11.6.1; RFC 6750, 3).",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Sent.Expectation() != message.RefuseCredential || p.Sent.CredentialOf(p.Requirement.Args.Scheme) == message.CredentialValid || p.Sent.CredentialTransport || len(p.Sent.Transport) > 0 {
			return rule.None
		}
		const want = "401 with WWW-Authenticate, 403 where a credential was sent, or 400"
		switch p.Got.Status {
		case 400:
			return rule.Passed
		case 429:
			return rule.None // throttled after many others
		case 403:
			return verdictOf(p.Sent.Credential != message.CredentialAbsent, p, want)
		case 401:
			if p.Exchange.Response.Get("WWW-Authenticate") == "" {
				return rule.Failed("401 without challenge", want, "401 without WWW-Authenticate")
			}
			return rule.Passed
		}
		hides := p.Got.Status == 404 && strings.Contains(p.Op.Path, "{")
		if p.Got.Documented != nil && p.Got.Refusal() && (hides || p.Sent.Flawed()) {
			return rule.Passed
		}
		return rule.Failed(signature(p), want, describe(p))
	},
}
