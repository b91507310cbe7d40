package checks

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// documented reports whether the status is one of the requirement, or the response
// default of the document stands for it.
func documented(p *requirement.Input) bool {
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
func mustRefuse(p *requirement.Input) requirement.Outcome {
	if p.Got.Redirect() && !succeeds(p) {
		return requirement.None
	}
	return expected(!p.Got.Accepts(), p)
}

// succeeds reports whether a redirect tells that the request was carried out: the
// document lists no 2xx, and another status for invalid input. 301, 307 and 308 ask for
// the same request elsewhere, where it may be refused (RFC 9110, 15.4).
func succeeds(p *requirement.Input) bool {
	return (p.Got.Status == http.StatusFound || p.Got.Status == http.StatusSeeOther) && len(p.Op.Documented(2)) == 0 &&
		slices.ContainsFunc(p.Op.Documented(4), func(r *openapi.Response) bool { return r.BadInput() })
}

// judged reports whether a requirement is about the body of this answer: the status
// is the requirement's, and the answer cannot come from below the application.
func judged(p *requirement.Input) bool {
	g := p.Got
	if g == nil || g.Documented == nil || !contains(p.Requirement.Args.Statuses, g.Documented.Status) {
		return false
	}
	if m := p.Requirement.Args.Media; m != "" && (g.Form == nil || g.Form.Type != m) {
		return false
	}
	if g.Success() || g.Documented.Status == "304" {
		return true
	}
	if p.Sent.OtherMedia && g.Status == http.StatusUnsupportedMediaType {
		return true // the document says how this is refused
	}
	// Whether what a request names is still there, or in the right state, changes nothing about the form.
	return (p.Sent.About || p.Sent.Expectation() != message.Anything) && !p.Sent.CredentialTransport && (len(p.Sent.Transport) == 0 || p.Sent.Understood)
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
func sentIssue(p *requirement.Input, k jsontree.IssueKind) bool {
	if p.Sent.Body == nil || p.Sent.Body.Kind != schema.NotJSON {
		return p.Sent.Body != nil && p.Sent.Body.Document.Has(k)
	}
	if k == jsontree.InvalidUTF8 && p.Exchange.Request != nil {
		// Half a character in an answer to whole ones is the server's own; an escape may be half a pair.
		return !utf8.Valid(p.Exchange.Request.Body) || bytes.Contains(p.Exchange.Request.Body, []byte(`\u`))
	}
	return true
}

// successStatus: the status of a success is documented.
var successStatus = requirement.Rule{
	Name:        "success-status",
	Tells:       report.TellsStatus,
	Rank:        requirement.Status,
	Category:    report.Answer,
	Means:       "a success has a status that is not documented",
	OnePlace:    true,
	Doc:         "A success has one of the documented statuses in Statuses, or the response default stands for it. A redirect (3xx) that the document lists is one of them.",
	Explanation: "A success has one of the documented status codes. A redirect (3xx) that the document lists is one of them.",
	Fix:         "Return the documented status. 201 or 204 would be another contract.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !p.Got.Success() && !(p.Got.Redirect() && p.Sent.Expectation() == message.Accept) {
			return requirement.None
		}
		return verdictOf(documented(p), p, statuses(p.Op.Successes(), "a documented status"))
	},
}

// refusalStatus: the status of a refusal is documented.
var refusalStatus = requirement.Rule{
	Name:        "refusal-status",
	Tells:       report.TellsStatus,
	Rank:        requirement.Status,
	Category:    report.Answer,
	Means:       "a refusal has a status that is not documented",
	OnePlace:    true,
	OfRefusals:  true,
	Doc:         "An answer other than a success has one of the documented statuses in Statuses, or any 4xx if none is listed there: the document has none. For refused credentials and unusual transport any 4xx is correct; 404 for a path in which a value has not its form is not judged, nor is 412 for a condition, 429, 401 or 403 where the request signs a user in, 400 for a body that is not UTF-8, 414 for a long request target, or the status that every baseline request got too.",
	Explanation: "A response that is not a success has one of the documented status codes, or any 4xx if the document has none. A refused credential and unusual headers, framing or sizes may get any 4xx.",
	Fix:         "Return the documented status for every refusal, also for those that the framework makes.",
	Check: func(p *requirement.Input) requirement.Outcome {
		switch p.Sent.Expectation() {
		case message.Either, message.Refuse, message.RefuseNotJSON:
			if p.Got.Accepts() || !documented(p) && besideInput(p) {
				return requirement.None
			}
			return verdictOf(documented(p) && p.Got.Refusal(), p, documentedRefusal(p))
		case message.Anything, message.RefuseAnyhow:
			if p.Got.Accepts() || p.Sent.Credential != message.CredentialValid {
				return requirement.None
			}
			if p.Sent.OtherMedia && p.Got.Refusal() {
				return expected(documented(p) || ofHTTP(p), p)
			}
			return verdictOf(p.Got.Refusal() || p.Sent.Redirectable() && p.Got.Status/100 == 3 || p.Sent.Refusable(p.Got.Status), p, "a success or a client error")
		}
		return requirement.None
	},
}

// documentedRefusal describes what a refusal has to be. Where no status that the document lists is
// about bad input, it is one of them all the same.
func documentedRefusal(p *requirement.Input) string {
	list := p.Op.Documented(4)
	if len(list) == 0 || slices.ContainsFunc(list, (*openapi.Response).BadInput) || !p.Got.Refusal() {
		return expectation(p)
	}
	return "a status that the document lists: " + either(p.Requirement.Args.Statuses)
}

// besideInput reports whether an undocumented status says nothing of the form of the input.
func besideInput(p *requirement.Input) bool {
	return p.Got.Status == p.Refused || ofHTTP(p) || nothingThere(p) || unknownUser(p) || undecodable(p) || otherPage(p) || longTarget(p)
}

// unknownUser reports whether an answer says that the user whom a request signs in is not
// known, or may not sign in (RFC 9110, 15.5.2 and 15.5.4).
func unknownUser(p *requirement.Input) bool {
	return p.Op.SignsIn() && (p.Got.Status == 401 || p.Got.Status == 403)
}

// undecodable reports whether an answer is 400 to a body that is not UTF-8, as JSON has to be
// (RFC 8259, 8.1). Frameworks decode it before the application sees it, and call the request
// malformed (RFC 9110, 15.5.1).
func undecodable(p *requirement.Input) bool {
	return p.Got.Status == 400 && p.Op.Body != nil && openapi.IsJSON(p.Op.Body.Media) && !utf8.Valid(p.Exchange.Request.Body)
}

// minTarget is the shortest request target, in bytes, that a server may refuse for its length:
// some routers bound each part of a path.
const minTarget = 100

// longTarget reports whether an answer says that the target of the request is too long (RFC 9110,
// 15.5.15): documents do not say how long it may be.
func longTarget(p *requirement.Input) bool {
	if p.Got.Status != http.StatusRequestURITooLong {
		return false
	}
	line, _, _ := bytes.Cut(p.Exchange.Request.Head, []byte("\r\n"))
	return len(line) > minTarget
}

// otherPage reports whether an answer is 404 to the number of a page that may not be there.
func otherPage(p *requirement.Input) bool {
	return p.Got.Status == 404 && p.Sent.Body != nil && slices.ContainsFunc(p.Sent.Body.Reasons, func(r schema.Reason) bool { return r.What == schema.UnknownPage })
}

// ofHTTP reports whether HTTP gives a status by itself: that of a throttle (RFC 6585, 4), or that of
// a condition which the request has (RFC 9110, 13). An operation itself finds out that a resource is
// missing, gone, locked or not for this client, so its document lists these statuses: it "is
// expected to cover a successful operation response and any known errors" (OpenAPI 3.1, 4.8.16).
// 401, 405, 406, 413 and 415 are about parts of a request that are right here; if they are not, any
// 4xx is correct.
func ofHTTP(p *requirement.Input) bool {
	return p.Got.Status == http.StatusTooManyRequests || p.Got.Status == http.StatusPreconditionFailed && hasCondition(p)
}

// hasCondition reports whether a request has a condition that a server checks before all else.
func hasCondition(p *requirement.Input) bool {
	return slices.ContainsFunc([]string{"If-Match", "If-None-Match", "If-Unmodified-Since"}, func(name string) bool { return p.Exchange.Request.Field(name) != "" })
}

// nothingThere reports whether an answer is 404 to a path in which a value does not have the form
// that the document gives it: many routers find no operation then, as for an unknown path (RFC 9110,
// 15.5.5).
func nothingThere(p *requirement.Input) bool {
	return p.Got.Status == http.StatusNotFound && oddPath(p)
}

// oddPath reports whether a value in the path breaks its schema, or may be refused.
func oddPath(p *requirement.Input) bool {
	r := p.Sent.Body
	return r != nil && (slices.ContainsFunc(r.Violations, func(v schema.Violation) bool { return strings.HasPrefix(v.Path, openapi.PathPlace("")) }) ||
		slices.ContainsFunc(r.Reasons, func(why schema.Reason) bool { return strings.HasPrefix(why.Path, openapi.PathPlace("")) }))
}

// ofMessages are the statuses that refuse a request as an HTTP message, whatever the operation is
// (RFC 9110, 15.5; RFC 6585, 5).
var ofMessages = []int{
	http.StatusUnauthorized, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusRequestTimeout, http.StatusLengthRequired, http.StatusRequestEntityTooLarge,
	http.StatusRequestURITooLong, http.StatusUnsupportedMediaType, http.StatusExpectationFailed, http.StatusMisdirectedRequest, http.StatusUpgradeRequired, http.StatusRequestHeaderFieldsTooLarge,
}

// refusalListed: the document has the refusals that the operation gives.
var refusalListed = requirement.Rule{
	Name:        "refusal-listed",
	Tells:       report.TellsStatus,
	Rank:        requirement.Status,
	Category:    report.Protocol,
	Means:       "a refusal has a status that the document does not list",
	OnePlace:    true,
	Doc:         "No answer has a 4xx that the document does not list, if it lists none at all, or if a value in the path does not have its form and 404 is not among Statuses: refusal-status leaves these open. The statuses that HTTP gives by itself are not judged.",
	Explanation: "A document is expected to list the known errors of an operation (OpenAPI 3.1, 4.8.16). A client cannot know a refusal that it does not list.",
	Fix:         "List the status and the form of the refusal, or a default response.",
	Check: func(p *requirement.Input) requirement.Outcome {
		strict := []message.Expectation{message.Accept, message.Either, message.Refuse, message.RefuseNotJSON}
		if !slices.Contains(strict, p.Sent.Expectation()) || len(p.Requirement.Args.Statuses) > 0 && !oddPath(p) {
			return requirement.None
		}
		listed := p.Got.Documented != nil
		ideal := p.Exchange.Request == nil // no request was sent: it shows what a case can test
		if !p.Got.Refusal() && !listed || !listed && !ideal && (p.Got.Status == p.Refused || ofHTTP(p) || undecodable(p) || longTarget(p) || slices.Contains(ofMessages, p.Got.Status)) {
			return requirement.None
		}
		return verdictOf(listed, p, "a status that the document lists")
	},
}
