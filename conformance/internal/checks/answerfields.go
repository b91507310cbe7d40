package checks

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
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
		if p.Got == nil || documentedField(p, retryAfterField) != nil {
			return requirement.None
		}
		out := requirement.None
		for _, v := range p.Exchange.Response.Values(retryAfterField) {
			if !isDate(v) && !jsontree.Digits(v) {
				return requirement.Failed("no time", "digits or an HTTP-date", retryAfterField+": "+p.Shorten(v, 200)+" in "+describe(p))
			}
			out = requirement.Passed
		}
		return out
	},
}

// documentedField returns a header field of the answer if the document has a schema for it, or nil.
func documentedField(p *requirement.Input, name string) *openapi.Header {
	if p.Got.Documented == nil {
		return nil
	}
	for _, h := range p.Got.Documented.Headers {
		if strings.EqualFold(h.Name, name) && h.Shape != nil {
			return h
		}
	}
	return nil
}

// fields are header fields of which HTTP says what they look like, whatever the operation is. Ideal
// is a right value.
var fields = []struct {
	name, ideal, want, flaw string
	right                   func(value string) bool
}{
	{"ETag", `"a"`, "an entity tag, in quotes (RFC 9110, 8.8.3)", "ETag is no entity tag", entityTag.MatchString},
	{"Date", aDate, "an HTTP-date (RFC 9110, 5.6.7)", "Date is no HTTP-date", isDate},
	{"Last-Modified", aDate, "an HTTP-date (RFC 9110, 5.6.7)", "Last-Modified is no HTTP-date", isDate},
	// Recipients have to take 0 for a time in the past (RFC 9111, 5.3).
	{"Expires", aDate, "an HTTP-date (RFC 9110, 5.6.7)", "Expires is no HTTP-date", func(v string) bool { return v == "0" || isDate(v) }},
}

const aDate = "Fri, 31 Dec 1999 23:59:59 GMT"

var entityTag = regexp.MustCompile(`^(W/)?"[^\x00-\x20"\x7f]*"$`)

// isDate reports whether a text is an HTTP-date, also in an obsolete form: recipients read these.
func isDate(v string) bool {
	_, err := http.ParseTime(v)
	return err == nil
}

// httpFields: the header fields of an answer are as HTTP has them.
var httpFields = requirement.Rule{
	Name:     "http-fields",
	Tells:    report.TellsHead,
	Rank:     requirement.Header,
	Category: report.Protocol,
	Means:    "a header field of the answer is not as HTTP has it",
	OnePlace: true,
	Doc: "Where an answer has ETag, it is an entity tag; Date, Last-Modified and Expires are an HTTP-date, also in an obsolete form. A 204 has no Content-Length, and a 401 has WWW-Authenticate: " +
		"the rule challenge says so of a refused credential in Authorization. A field is not judged where the schema of the document allows no right value.",
	Explanation: "Header fields are as HTTP has them: ETag is an entity tag in quotes; Date, Last-Modified and Expires are dates as HTTP writes them. A 204 has no Content-Length, not even 0, and a 401 has WWW-Authenticate.",
	Fix:         "Write the field as the RFC says: clients and caches ignore it otherwise.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		return s.Should("RFC 9110, 5.6.7, 8.6, 8.8.3 and 15.5.2", "Header fields that HTTP defines are as it says: entity tags, dates, no Content-Length with 204, WWW-Authenticate with 401.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Got == nil {
			return requirement.None
		}
		r := p.Exchange.Response
		switch {
		case r.Status == http.StatusNoContent && len(r.Values("Content-Length")) > 0:
			return requirement.Failed("Content-Length with 204", "no Content-Length (RFC 9110, 8.6)", "Content-Length: "+p.Shorten(r.Get("Content-Length"), 200)+" in "+describe(p))
		case r.Status == http.StatusUnauthorized && len(r.Values("WWW-Authenticate")) == 0 && !challenged(p):
			return requirement.Failed("401 without WWW-Authenticate", "WWW-Authenticate (RFC 9110, 15.5.2)", "none in "+describe(p))
		}
		for _, f := range fields {
			for _, v := range r.Values(f.name) {
				if h := documentedField(p, f.name); !f.right(v) && (h == nil || h.Read([]string{f.ideal}).Kind == schema.MustAccept) {
					return requirement.Failed(f.flaw, f.want, f.name+": "+p.Shorten(v, 200)+" in "+describe(p))
				}
			}
		}
		return requirement.Passed
	},
}

// challenged reports whether the rule challenge judges a refused credential.
func challenged(p *requirement.Input) bool {
	return p.Sent.Expectation() == message.RefuseCredential && slices.ContainsFunc(p.Op.Schemes(), func(sc *openapi.Scheme) bool {
		in, name := sc.Documented()
		return in == "header" && name == "Authorization" && sc.Type != "apiKey"
	})
}
