package checks

import (
	"bytes"
	"net/http"
	"slices"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// documented reports whether the status is one of the requirement, or the response
// default of the document stands for it.
func documented(p *rule.Input) bool {
	list := p.Requirement.Args.Statuses
	if d := p.Got.Documented; d != nil && d.Status == "default" {
		return true
	}
	for _, s := range list {
		for _, r := range p.Op.Responses {
			if r.Status == s && r.Matches(p.Got.Status) {
				return true
			}
		}
	}
	return len(list) == 0
}

// mustRefuse judges a request that must be refused. A redirect that the document lists
// is a success where nothing else is. Any other is not judged: it may lead to an error
// page, or to what a valid request gets.
func mustRefuse(p *rule.Input) rule.Outcome {
	if p.Got.Redirect() && !succeeds(p) {
		return rule.None
	}
	return expected(!p.Got.Accepts(), p)
}

// succeeds reports whether a redirect tells that the request was carried out: the
// document lists no 2xx, and another status for invalid input. 301, 307 and 308 ask for
// the same request elsewhere, where it may be refused (RFC 9110, 15.4).
func succeeds(p *rule.Input) bool {
	return (p.Got.Status == http.StatusFound || p.Got.Status == http.StatusSeeOther) && len(p.Op.Documented(2)) == 0 &&
		slices.ContainsFunc(p.Op.Documented(4), func(r *openapi.Response) bool { return r.BadInput() })
}

// judged reports whether a requirement is about the body of this answer: the status
// is the requirement's, and the answer cannot come from below the application.
func judged(p *rule.Input) bool {
	g := p.Got
	if g == nil || g.Documented == nil || !contains(p.Requirement.Args.Statuses, g.Documented.Status) {
		return false
	}
	if m := p.Requirement.Args.Media; m != "" && (g.Form == nil || g.Form.Type != m) {
		return false
	}
	if g.Success() {
		return true
	}
	if p.Sent.OtherMedia && g.Status == http.StatusUnsupportedMediaType {
		return true // the document says how this is refused
	}
	return p.Sent.Expectation() != message.Anything && !p.Sent.CredentialTransport && (len(p.Sent.Transport) == 0 || p.Sent.Understood)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// sentIssue reports whether the request itself had the issue, or may have had it.
func sentIssue(p *rule.Input, k jsontree.IssueKind) bool {
	if p.Sent.Body == nil || p.Sent.Body.Kind != openapi.NotJSON {
		return p.Sent.Body != nil && p.Sent.Body.Document.Has(k)
	}
	if k == jsontree.InvalidUTF8 && p.Exchange.Request != nil {
		// Half a character in an answer to whole ones is the server's own; an escape may be half a pair.
		return !utf8.Valid(p.Exchange.Request.Body) || bytes.Contains(p.Exchange.Request.Body, []byte(`\u`))
	}
	return true
}
