package checks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// answered: every request gets an answer other than a server error. Without an
// answer, or with a server error, no other rule can judge.
var answered = requirement.Rule{
	Name:        "answered",
	Rank:        requirement.Answered,
	Category:    report.Crash,
	Means:       "a request gets no answer, or a server error",
	Doc:         "Every request gets an answer other than a server error: no 5xx, no dropped connection, no time-out. For unusual transport 501 and 505 also count as answers, so does 504 to only-if-cached. A 501 or 503 that the document lists is an answer to whatever may be accepted. On broken framing a server may also close the connection, and an incomplete request (RFC 9112, 8) gets any error.",
	Explanation: "Every request gets a response that is no server error: no 5xx, no dropped connection, no timeout. For unusual headers, framing or sizes, 501 and 505 also count as responses. So does a 501 or 503 that the document lists, unless the request must be refused.",
	Fix:         "Catch every error in the handler and return the documented error response. The server log shows the crash that this request causes.",
	Check: func(p *requirement.Input) requirement.Outcome {
		const want = "an answer other than a server error"
		if f := p.Exchange.Failure; f != nil {
			if isFraming(p.Exchange) || p.Exchange.Excused() {
				return requirement.Passed
			}
			return requirement.Failed(f.Kind.String(), want, f.Detail)
		}
		s := p.Got.Status
		if s/100 == 5 && !p.Sent.Refusable(s) && !p.Unavailable() {
			return requirement.Failed(strings.TrimSpace(fmt.Sprint(s)+" "+requirement.Words(requirement.Said(p.Exchange.Response.Content), p.Sent)), want, describe(p))
		}
		return requirement.Passed
	},
}

// isFraming reports whether at least a part of an answer came.
func isFraming(e *exchange.Exchange) bool {
	switch e.Failure.Kind {
	case exchange.Truncated, exchange.Malformed, exchange.TooLarge:
		return true
	case exchange.TimedOut:
		return e.Response != nil || len(e.Received) > 0
	}
	return false
}

// framing: what comes back is complete, well-formed HTTP.
var framing = requirement.Rule{
	Name:        "framing",
	Rank:        requirement.Framing,
	Category:    report.Answer,
	Means:       "the answer is not well-formed HTTP",
	Doc:         "Every answer is well-formed HTTP/1.x: a status line, fields, and a body as long as its framing says, in a content coding that can be decoded. A 205 has no content (RFC 9110, 15.3.6), unless the document lists some.",
	Explanation: "Every response is well-formed HTTP/1.x: a status line, header fields, and a body that has the announced length and content coding. A 205 response has no body.",
	Fix:         "Let the HTTP library write Content-Length or chunks. Do not write to the connection yourself, and count bytes, not characters.",
	Check: func(p *requirement.Input) requirement.Outcome {
		const want = "well-formed HTTP"
		if f := p.Exchange.Failure; f != nil {
			return requirement.Failed(f.Kind.String(), want, f.Detail)
		}
		if len(p.Exchange.Unasked) > 0 {
			return requirement.Failed(requirement.Unasked, want, "bytes after the end of the previous answer")
		}
		// A parser that rejects a head may not know its method.
		unread := p.Op.Method == http.MethodHead && slices.Contains(ofParsers, p.Exchange.Response.Status) && len(p.Sent.Transport) > 0
		if len(p.Exchange.Response.Surplus) > 0 && unread {
			return requirement.None
		}
		if len(p.Exchange.Response.Surplus) > 0 {
			return requirement.Failed(requirement.Surplus, want, "bytes after the end of the answer")
		}
		if err := p.Exchange.Response.ContentErr; err != nil && p.Exchange.Response.Coding != "" && known(p.Exchange.Response.Coding) {
			return requirement.Failed("coding", want, "a body that is not valid "+p.Exchange.Response.Coding)
		}
		if n := len(p.Exchange.Response.Content); n > 0 && p.Exchange.Response.Status == http.StatusResetContent && (p.Got.Documented == nil || len(p.Got.Documented.Media) == 0) {
			return requirement.Failed("reset content", "no content in a 205", fmt.Sprintf("%d bytes of content in %s", n, describe(p)))
		}
		return requirement.Passed
	},
}

// ofParsers are the statuses with which a parser rejects a head.
var ofParsers = []int{http.StatusBadRequest, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge, http.StatusHTTPVersionNotSupported}

func known(coding string) bool { return coding == "gzip" || coding == "x-gzip" || coding == "deflate" }

// strictFraming: what clients accept, and intermediaries may read in another way.
var strictFraming = requirement.Rule{
	Name:        "strict-framing",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "the framing of the answer is ambiguous",
	Doc:         "An answer has no Content-Length beside Transfer-Encoding (RFC 9112, 6.2) and no Transfer-Encoding for a request of HTTP/1.0 (RFC 9112, 6.1), and its lines end with CR LF (RFC 9112, 2.1).",
	Explanation: "No response has both Content-Length and Transfer-Encoding, none to an HTTP/1.0 request has Transfer-Encoding, and every line of its head ends with CR LF.",
	Fix:         "Let the HTTP library write the head. Do not set Content-Length on a response that is sent in chunks. Send no chunks to HTTP/1.0 clients: they cannot read them.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		return s.Should("RFC 9112, 6 and 2.1", "No answer has both Content-Length and Transfer-Encoding, or Transfer-Encoding for a request of HTTP/1.0, or header lines that end with LF alone.").As("http-strict-framing")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		r := p.Exchange.Response
		if p.Exchange.Failure != nil || r == nil {
			return requirement.None
		}
		for _, odd := range []struct{ what, signature, want, got string }{
			{exchange.OddBothLengths, "both lengths", "either Content-Length or Transfer-Encoding", "both"},
			{exchange.OddChunkedFor, "chunked for 1.0", "no Transfer-Encoding for a request of HTTP/1.0", "Transfer-Encoding"},
			{exchange.OddLF, "bare lf", "lines that end with CR LF", "a line that ends with LF alone"},
		} {
			if slices.Contains(r.Oddities, odd.what) {
				return requirement.Failed(odd.signature, odd.want, odd.got)
			}
		}
		return requirement.Passed
	},
}

// answerHeader: a required header field of an answer is there.
var answerHeader = requirement.Rule{
	Name:        "answer-header",
	Tells:       report.TellsMissing,
	Rank:        requirement.Header,
	Category:    report.Answer,
	Means:       "the answer lacks a header field that is documented",
	Doc:         "An answer with one of the Statuses has the header field Header, which the document requires. An empty value counts.",
	Explanation: "The response has this header field, which the document requires.",
	Fix:         "Set this header field on every response with the status, also on those that the framework makes.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) {
			return requirement.None
		}
		name := p.Requirement.Args.Header
		if len(p.Exchange.Response.Values(name)) == 0 {
			return requirement.Failed("missing", p.Requirement.Sentence, "no "+name+" in "+describe(p))
		}
		return requirement.Passed
	},
}

// notJSON stands for a keyword if the document says that the field is JSON.
const notJSON = "json"

// answerHeaderSchema: a header field of an answer keeps one keyword of its schema.
var answerHeaderSchema = requirement.Rule{
	Name:     "answer-header-schema",
	Tells:    report.TellsField,
	Rank:     requirement.Header,
	Category: report.Answer,
	Means:    "a header field of the answer breaks its schema",
	Doc: "The value of the header field Header, where it is there, keeps the keyword of Key. It is read in style simple: the text is what the schema takes it for, " +
		"a number, true or false, a list, else a string. A URI has no blanks, quotes and brackets that RFC 3986, 2 does not allow. Where HTTP itself says what a field looks like, such as Location and Last-Modified, the keyword format is not judged.",
	Explanation: "The value of this header field satisfies this keyword of the documented schema. It is text: a number is written in digits, a list with commas.",
	Fix:         "Write this header field with the documented type and within the documented limits.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) {
			return requirement.None
		}
		a := p.Requirement.Args
		for i, h := range p.Got.Documented.Headers {
			if h.Name != a.Header || i >= len(p.Got.Headers) {
				continue
			}
			r := p.Got.Headers[i]
			if r == nil || r.Kind == schema.Undecided {
				return requirement.None
			}
			if r.Kind == schema.NotJSON && a.Key.Keyword != notJSON {
				return requirement.None
			}
			value := p.Exchange.Response.Values(h.Name)[0]
			if r.Violates(a.Key) || r.Kind == schema.NotJSON || a.Key.Keyword == "format" && noURI(h, value) {
				return requirement.Failed(a.Key.Keyword, p.Requirement.Sentence, h.Name+": "+p.Shorten(value, 200)+" in "+describe(p))
			}
			return requirement.Passed
		}
		return requirement.None
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
var challenge = requirement.Rule{
	Name:        "challenge",
	Rank:        requirement.Advice,
	Category:    report.Answer,
	Means:       "the refusal of a credential does not say how to sign in",
	OnePlace:    true,
	Doc:         "A refused credential is answered with 401 and WWW-Authenticate, with 403 where a credential was sent, or with 400. A documented refusal also passes if the body has to be refused too, and a documented 404 if the path names a thing: a server may hide that it exists (RFC 9110, 15.5.4).",
	Ideal:       []exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}},
	Explanation: "A refused credential is answered with 401 and WWW-Authenticate, with 400, or, if a credential was sent, with 403.",
	Fix:         "Send WWW-Authenticate: Bearer with every 401 (RFC 9110, 11.6.1; RFC 6750, 3).",
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Sent.Expectation() != message.RefuseCredential || p.Sent.CredentialOf(p.Requirement.Args.Scheme) == message.CredentialValid || p.Sent.CredentialTransport || len(p.Sent.Transport) > 0 {
			return requirement.None
		}
		const want = "401 with WWW-Authenticate, 403 where a credential was sent, or 400"
		switch p.Got.Status {
		case 400:
			return requirement.Passed
		case 429:
			return requirement.None // throttled after many others
		case 403:
			return verdictOf(p.Sent.Credential != message.CredentialAbsent, p, want)
		case 401:
			if p.Exchange.Response.Get("WWW-Authenticate") == "" {
				return requirement.Failed("401 without challenge", want, "401 without WWW-Authenticate")
			}
			return requirement.Passed
		}
		hides := p.Got.Status == 404 && strings.Contains(p.Op.Path, "{")
		if p.Got.Documented != nil && p.Got.Refusal() && (hides || p.Sent.Flawed()) {
			return requirement.Passed
		}
		return requirement.Failed(signature(p), want, describe(p))
	},
}
