package checks

import (
	"fmt"

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
