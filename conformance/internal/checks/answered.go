package checks

import (
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/rule"
)

// answered: every request gets an answer other than a server error. Without an
// answer, or with a server error, no other rule can judge.
var answered = rule.Rule{
	Name:        "answered",
	Rank:        rule.Answered,
	Doc:         "Every request gets an answer other than a server error: no 5xx, no dropped connection, no time-out. For unusual transport 501 and 505 also count as answers, so does 504 to only-if-cached. A 501 or 503 that the document lists is an answer to whatever may be accepted. On broken framing a server may also close the connection, and an incomplete request (RFC 9112, 8) gets any error.",
	Explanation: "Every request gets a response that is no server error: no 5xx, no dropped connection, no timeout. For unusual headers, framing or sizes, 501 and 505 also count as responses. So does a 501 or 503 that the document lists, unless the request must be refused.",
	Fix:         "Catch every error in the handler and return the documented error response. The server log shows the crash that this request causes.",
	Check: func(p *rule.Input) rule.Outcome {
		const want = "an answer other than a server error"
		if f := p.Exchange.Failure; f != nil {
			if isFraming(p.Exchange) || p.Exchange.Excused() {
				return rule.Passed
			}
			return rule.Failed(f.Kind.String(), want, f.Detail)
		}
		s := p.Got.Status
		if s/100 == 5 && !p.Sent.Refusable(s) && !p.Unavailable() {
			return rule.Failed(fmt.Sprint(s), want, describe(p))
		}
		return rule.Passed
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
var framing = rule.Rule{
	Name:        "framing",
	Rank:        rule.Framing,
	Doc:         "Every answer is well-formed HTTP/1.x: a status line, fields, and a body as long as its framing says, in a content coding that can be decoded.",
	Explanation: "Every response is well-formed HTTP/1.x: a status line, header fields, and a body that has the announced length and content coding.",
	Fix:         "Let the HTTP library write Content-Length or chunks. Do not write to the connection yourself, and count bytes, not characters.",
	Check: func(p *rule.Input) rule.Outcome {
		const want = "well-formed HTTP"
		if f := p.Exchange.Failure; f != nil {
			return rule.Failed(f.Kind.String(), want, f.Detail)
		}
		if len(p.Exchange.Unasked) > 0 {
			return rule.Failed(rule.Unasked, want, "bytes after the end of the previous answer")
		}
		// A parser that rejects a head may not know its method.
		unread := p.Op.Method == http.MethodHead && slices.Contains(ofParsers, p.Exchange.Response.Status) && len(p.Sent.Transport) > 0
		if len(p.Exchange.Response.Surplus) > 0 && unread {
			return rule.None
		}
		if len(p.Exchange.Response.Surplus) > 0 {
			return rule.Failed(rule.Surplus, want, "bytes after the end of the answer")
		}
		if err := p.Exchange.Response.ContentErr; err != nil && p.Exchange.Response.Coding != "" && known(p.Exchange.Response.Coding) {
			return rule.Failed("coding", want, "a body that is not valid "+p.Exchange.Response.Coding)
		}
		return rule.Passed
	},
}

// ofParsers are the statuses with which a parser rejects a head.
var ofParsers = []int{http.StatusBadRequest, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge, http.StatusHTTPVersionNotSupported}

func known(coding string) bool { return coding == "gzip" || coding == "x-gzip" || coding == "deflate" }

// strictFraming: what clients accept, and intermediaries may read in another way.
var strictFraming = rule.Rule{
	Name:        "strict-framing",
	Rank:        rule.Advice,
	Doc:         "An answer has no Content-Length beside Transfer-Encoding (RFC 9112, 6.2) and no Transfer-Encoding for a request of HTTP/1.0 (RFC 9112, 6.1), and its lines end with CR LF (RFC 9112, 2.1).",
	Explanation: "No response has both Content-Length and Transfer-Encoding, none to an HTTP/1.0 request has Transfer-Encoding, and every line of its head ends with CR LF.",
	Fix:         "Let the HTTP library write the head. Do not set Content-Length on a response that is sent in chunks. Send no chunks to HTTP/1.0 clients: they cannot read them.",
	Check: func(p *rule.Input) rule.Outcome {
		r := p.Exchange.Response
		if p.Exchange.Failure != nil || r == nil {
			return rule.None
		}
		for _, odd := range []struct{ what, signature, want, got string }{
			{exchange.OddBothLengths, "both lengths", "either Content-Length or Transfer-Encoding", "both"},
			{exchange.OddChunkedFor, "chunked for 1.0", "no Transfer-Encoding for a request of HTTP/1.0", "Transfer-Encoding"},
			{exchange.OddLF, "bare lf", "lines that end with CR LF", "a line that ends with LF alone"},
		} {
			if slices.Contains(r.Oddities, odd.what) {
				return rule.Failed(odd.signature, odd.want, odd.got)
			}
		}
		return rule.Passed
	},
}
