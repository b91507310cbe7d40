package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

const retryAfterField = "Retry-After"

// retryAfter: a client can read how long it is to wait.
var retryAfter = requirement.Rule{
	Name:        "retry-after",
	Rank:        requirement.Header,
	Category:    report.Protocol,
	Means:       "Retry-After is neither a number of seconds nor a date",
	OnePlace:    true,
	Doc:         "The value of each Retry-After is an HTTP-date, also in an obsolete form, or digits alone (RFC 9110, 10.2.3), whatever the status. Without the field nothing is judged, and nothing where the document has a schema for it.",
	Explanation: "The header field Retry-After, where a response has it, is a number of seconds without sign and fraction, or a date as HTTP writes it.",
	Fix:         "Write whole seconds, such as 120, or a date such as Fri, 31 Dec 1999 23:59:59 GMT: clients ignore anything else and do not wait.",
	Ideal:       []exchange.Field{{Name: retryAfterField, Value: "120"}},
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		q := s.Should("RFC 9110, 10.2.3", "Retry-After is a number of seconds or an HTTP-date.").With(requirement.Args{Header: retryAfterField})
		q.Free = true
		return q
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Got == nil || describedField(p, retryAfterField) {
			return requirement.None
		}
		out := requirement.None
		for _, v := range p.Exchange.Response.Values(retryAfterField) {
			_, err := http.ParseTime(v)
			if err != nil && !jsontree.Digits(v) {
				return requirement.Failed("no time", "digits or an HTTP-date", retryAfterField+": "+p.Shorten(v, 200)+" in "+describe(p))
			}
			out = requirement.Passed
		}
		return out
	},
}

// describedField reports whether the document has a schema for a header field of the answer.
func describedField(p *requirement.Input, name string) bool {
	if p.Got.Documented == nil {
		return false
	}
	for _, h := range p.Got.Documented.Headers {
		if strings.EqualFold(h.Name, name) && h.Shape != nil {
			return true
		}
	}
	return false
}
