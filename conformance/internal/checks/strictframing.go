package checks

import (
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/rule"
)

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
