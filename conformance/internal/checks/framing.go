package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/rule"
)

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
