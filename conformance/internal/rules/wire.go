package rules

import (
	"fmt"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/rule"
)

// answered: an answer, any answer but a server error. Where no response byte
// came, or a server error did, nothing else can be said.
var answered = rule.Rule{
	Name: "answered",
	Rank: rule.Answered,
	Doc:  "Every request gets an answer that is no server error: no 5xx, no dropped connection, no silence. Where a request differs in transport matters, 501 and 505 are answers too, 504 is one to only-if-cached, and any answer but a success refuses a credential above 1 kB.",
	Mend: "catch every error in the handler and answer it with the documented refusal; look into the server's log for the crash behind this request",
	Check: func(p *rule.Pass) rule.Outcome {
		const want = "an answer that is no server error"
		if f := p.Exchange.Failure; f != nil {
			if isFraming(p.Exchange) {
				return rule.Passed
			}
			return rule.Failed(f.Kind.String(), want, f.Detail)
		}
		s := p.Got.Status
		if s/100 == 5 && !p.Sent.Refusable(s) {
			return rule.Failed(fmt.Sprint(s), want, describe(p))
		}
		return rule.Passed
	},
}

// framing: what came is HTTP, whole.
var framing = rule.Rule{
	Name: "framing",
	Rank: rule.Framing,
	Doc:  "Every answer is well-formed HTTP/1.x: a status line, fields, and a body as long as its framing says, in a content coding that can be undone.",
	Mend: "let the HTTP library write Content-Length or chunks; do not write behind its back, and do not compute lengths in characters",
	Check: func(p *rule.Pass) rule.Outcome {
		const want = "well-formed HTTP"
		if f := p.Exchange.Failure; f != nil {
			return rule.Failed(f.Kind.String(), want, f.Detail)
		}
		if len(p.Exchange.Unasked) > 0 {
			return rule.Failed("unasked", want, "bytes behind the end of the answer before")
		}
		if len(p.Exchange.Response.Surplus) > 0 {
			return rule.Failed("surplus", want, "bytes behind the end of the answer")
		}
		if err := p.Exchange.Response.ContentErr; err != nil && p.Exchange.Response.Coding != "" && known(p.Exchange.Response.Coding) {
			return rule.Failed("coding", want, "a body that its content coding "+p.Exchange.Response.Coding+" cannot undo")
		}
		return rule.Passed
	},
}

// isFraming tells whether something of an answer came.
func isFraming(e *exchange.Exchange) bool {
	switch e.Failure.Kind {
	case exchange.Truncated, exchange.Malformed, exchange.TooLarge:
		return true
	case exchange.TimedOut:
		return e.Response != nil || len(e.Received) > 0
	}
	return false
}

func known(coding string) bool { return coding == "gzip" || coding == "x-gzip" || coding == "deflate" }
