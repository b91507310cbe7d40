package checks

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// accepted: a must-accept request is a success. Key.Path names the member that a
// requirement is about. The requirement without a path gets the requests whose
// values are all baseline, or of which several are not, or one that no other
// requirement is about.
var accepted = requirement.Rule{
	Name:        "accepted",
	Tells:       report.TellsRequest,
	Rank:        requirement.Class,
	Category:    report.Refusal,
	Means:       "a valid request is refused",
	Role:        requirement.RoleAcceptance,
	Doc:         "A must-accept request is answered with a success (2xx). Path names the member whose value is tested; without it the request as a whole is tested: its spelling, its order, several members at once.",
	Explanation: "A valid request succeeds (2xx). If the requirement names a member, its value is what is tried; otherwise it is the request as a whole: its spelling, the order of its members, several members at once.",
	Fix:         "Accept every value that the document allows. Check the type, length and character set of this member in the code and in the database.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if args, at := p.Requirement.Args, subject(p); args.Key.Path != at && !(args.Key.Path == "" && args.Others != nil && !args.Others[at]) {
			return requirement.None
		}
		// A request with an unusual value that is also sent in pieces may be
		// refused for either.
		if p.Sent.Expectation() != message.Accept || p.Sent.Cut && p.Sent.Body != nil && len(p.Sent.Body.Unusual) > 0 {
			return requirement.None
		}
		return expected(p.Got.Accepts(), p)
	},
}

// subject returns the member that a must-accept request is about: the one that is
// not baseline or, if all are, the place that the class names.
func subject(p *requirement.Input) string {
	b := p.Sent.Body
	if b == nil || b.Respelled || len(b.Reasons) > 0 {
		return ""
	}
	if len(b.Unusual) > 0 {
		return innermost(b.Unusual)
	}
	if p.Op.HasMember(p.Place) {
		return p.Place
	}
	return ""
}

// innermost returns the place that is inside all the others: an optional array or object
// has to be there for the value of a member in it. There is none if one is beside others.
func innermost(paths []string) string {
	last := paths[len(paths)-1]
	for _, path := range paths {
		if path != last && !strings.HasPrefix(last, path+"/") {
			return ""
		}
	}
	return last
}

// acceptsAlternative: every alternative of the security is enough.
var acceptsAlternative = requirement.Rule{
	Name:     "accepts-alternative",
	Rank:     requirement.Class,
	Category: report.Refusal,
	Means:    "a documented alternative of the credentials is refused",
	Role:     requirement.RoleCredentialAcceptance,
	Doc: "The credentials of an alternative that other requests do not use are accepted. Kind is its label. " +
		"Only 401 and, for an operation without parameters in the path, 403 refuse a credential: other refusals may be about what its owner may see.",
	Explanation: "Each alternative that the document lists under security is enough: its credentials are accepted like those of the others.",
	Fix:         "Check the credentials of every alternative that the document lists, and let the request pass if one is complete.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Sent.Credential != message.CredentialOther || p.Sent.Alternative != p.Requirement.Args.Kind || len(p.Sent.Transport) > 0 || p.Sent.Body != nil && p.Sent.Body.Kind > 0 {
			return requirement.None
		}
		named := slices.ContainsFunc(p.Op.Parameters, func(q *openapi.Parameter) bool { return q.In == "path" })
		switch {
		case p.Got.Accepts():
			return requirement.Passed
		case p.Got.Status == 401, p.Got.Status == 403 && !named && p.Sent.Alternative != "none":
			return requirement.Failed(signature(p), "a success", describe(p))
		}
		return requirement.None
	},
}

// acceptsCredential: the unusual spellings that bearer authentication allows are
// accepted.
var acceptsCredential = requirement.Rule{
	Name:        "accepts-credential",
	Rank:        requirement.Advice,
	Category:    report.Refusal,
	Means:       "the right credential is refused when it is written in another valid way",
	Role:        requirement.RoleCredentialAcceptance,
	Doc:         "The valid credential is accepted in every spelling that HTTP authentication allows. Kind is case (scheme name in any case) or blanks (several spaces after it).",
	Explanation: "A valid credential is accepted in every spelling that HTTP authentication allows: with the scheme name in any case, or with several spaces after it.",
	Fix:         "Compare the scheme name without regard to case, and skip all spaces after it (RFC 9110, 11.1 and 11.4).",
	Check: func(p *requirement.Input) requirement.Outcome {
		want := message.CredentialCase
		if p.Requirement.Args.Kind == "blanks" {
			want = message.CredentialBlanks
		}
		if p.Sent.Credential != want || p.Sent.CredentialOf(p.Requirement.Args.Scheme) != want || len(p.Sent.Transport) > 0 || p.Sent.Body != nil && p.Sent.Body.Kind > 0 {
			return requirement.None
		}
		switch {
		case p.Got.Accepts():
			return requirement.Passed
		case p.Got.Missing() && len(openapi.Expressions(p.Op.Path)) > 0:
			return requirement.None // what the path names is gone, whatever the credential is
		}
		return requirement.Failed(signature(p), "a success", describe(p))
	},
}

// optional: a member that is not required may be left out.
var optional = requirement.Rule{
	Name:        "optional",
	Rank:        requirement.Class,
	Category:    report.Refusal,
	Means:       "a request without an optional member is refused",
	Role:        requirement.RoleOmission,
	Doc:         "A must-accept request without the optional member at Path is a success. A failure is reported here only if the target accepts the same request with the member.",
	Explanation: "A request without this optional member succeeds. A failure is reported here only if the server accepted the same request with the member.",
	Fix:         "Do not require a member that the document does not require.",
	Check: func(p *requirement.Input) requirement.Outcome {
		path := p.Requirement.Args.Key.Path
		if p.Sent.Expectation() != message.Accept || p.Sent.Body == nil || p.Sent.Body.At(path) != nil {
			return requirement.None
		}
		if p.Got.Accepts() {
			return requirement.Passed
		}
		if p.Sent.Body.Empty && strings.HasPrefix(path, "/") {
			return requirement.None // all of the body is left out
		}
		if !p.Needs[path] {
			return requirement.None
		}
		return expected(false, p)
	},
}

// someAccepted: if implementations may refuse values of a member, one accepted
// value is enough.
var someAccepted = requirement.Rule{
	Name:        "some-accepted",
	Rank:        requirement.Class,
	Category:    report.Refusal,
	Means:       "no valid value of a member is accepted",
	Doc:         "Of the valid requests that give the member at Path, at least one is a success: the document does not say which values are accepted, only that the member may be sent.",
	Explanation: "Of the valid requests that contain this member at least one succeeds. The document does not say which values are accepted, only that the member may be sent.",
	Fix:         "Accept the member that the document lists.",
	AnyPass:     true,
	Check: func(p *requirement.Input) requirement.Outcome {
		b, path := p.Sent.Body, p.Requirement.Args.Key.Path
		if b == nil || p.Sent.Expectation() != message.Either || p.Sent.Reused || len(b.Reasons) != 1 ||
			b.Reasons[0].Path != path || b.Reasons[0].What != schema.GivenValue {
			return requirement.None
		}
		if p.Got.Accepts() {
			return requirement.Passed
		}
		return requirement.Failed(signature(p), "a success for at least one value", describe(p))
	},
}

// shownWords is how much of the words of a server a sentence shows, in bytes.
const shownWords = 200

// undocumentedRule: a valid request is accepted, whatever values it has.
var undocumentedRule = requirement.Rule{
	Name:        "undocumented-rule",
	Rank:        requirement.Class,
	Category:    report.Guessed,
	Means:       "values are refused by a rule that no schema states",
	Role:        requirement.RoleOpen,
	Line:        "valid",
	Doc:         "A must-accept request is a success, although the document does not list its values. It fails only where the refusal has a documented status and may be due to such values (Input.Open); any other refusal is for the rules about acceptance.",
	Explanation: "A valid request succeeds, whatever its values are. If the server refuses values that the document does not list, with a status that the document lists, it may have a rule that no schema states: a name that must exist, a filter with a syntax of its own. With \"valid: accepted\" in the requirements file, every such refusal is a failure.",
	Fix:         "State the rule in the document, as a pattern, an enum, a bound or a format, or accept the value.",
	Check: func(p *requirement.Input) requirement.Outcome {
		switch {
		case p.Sent.Expectation() != message.Accept || p.Got == nil:
			return requirement.None
		case p.Got.Accepts():
			return requirement.Passed
		case len(p.Open) == 0:
			return requirement.None
		}
		out := requirement.Failed(signature(p), "a success, or a rule in the document about "+strings.Join(p.Open, ", "), strings.TrimSpace(fmt.Sprintf("%d %s", p.Got.Status, p.Shorten(requirement.Said(p.Exchange.Response.Content), shownWords))))
		out.Members = strings.Join(p.Open, "\n")
		return out
	},
}
