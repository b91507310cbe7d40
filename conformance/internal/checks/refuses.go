package checks

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// refusesCredential: a request without the valid credential is never a success.
var refusesCredential = requirement.Rule{
	Name:        "refuses-credential",
	Tells:       report.TellsCredential,
	Rank:        requirement.Class,
	Category:    report.Security,
	Means:       "a request without the right credential is answered like one with it",
	Role:        requirement.RoleCredentialRefusal,
	Doc:         "A request whose credential is absent, of another scheme, malformed or wrong is never a success. Kind is absent, scheme or token.",
	Explanation: "A request whose credential is missing, malformed, wrong, or of another scheme never succeeds.",
	Fix:         "Compare the whole credential, scheme and token, on every request, before anything is stored.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if p.Sent.Expectation() != message.RefuseCredential || credentialKind(p.Sent.CredentialOf(p.Requirement.Args.Scheme)) != p.Requirement.Args.Kind {
			return requirement.None
		}
		if p.Got.Redirect() {
			return requirement.None // it may lead to where one signs in
		}
		if p.Got.Success() && !answers(p) && (p.Sent.PathRespelled || p.Sent.Elsewhere() && !itsOwn(p)) {
			return requirement.None // something else may answer, and need no credential
		}
		return expected(!p.Got.Success(), p)
	},
}

// minRepeated is the shortest text of a request that no answer has by chance, in bytes.
const minRepeated = 5

// answers reports whether an answer is that of the operation: it is as documented, and
// repeats a text of the body.
func answers(p *requirement.Input) bool {
	g := p.Got
	if g.Documented == nil || !g.Documented.Matches(g.Status) || g.Reading == nil || g.Reading.Kind != schema.MustAccept || p.Sent.Body == nil {
		return false
	}
	sent := map[string]bool{}
	p.Sent.Body.Root().Walk(func(_ string, v *jsontree.Value) {
		if v.Kind == jsontree.String && len(v.Text) >= minRepeated {
			sent[v.Text] = true
		}
	})
	repeated := false
	g.Reading.Root().Walk(func(_ string, v *jsontree.Value) { repeated = repeated || v.Kind == jsontree.String && sent[v.Text] })
	return repeated
}

// itsOwn reports whether the operation documents a status, and a GET of the same path would
// not answer with it.
func itsOwn(p *requirement.Input) bool {
	return p.Op.Lists(p.Got.Status) != nil && (p.Got.Status != http.StatusOK || p.Op.Method == http.MethodGet)
}

func credentialKind(c message.Credential) string {
	switch c {
	case message.CredentialAbsent:
		return "absent"
	case message.CredentialScheme:
		return "scheme"
	case message.CredentialToken:
		return "token"
	}
	return ""
}

// credentialRefusal: the refusal of a credential is a client error, not a redirect.
var credentialRefusal = requirement.Rule{
	Name:        "credential-refusal",
	Rank:        requirement.Status,
	Category:    report.Answer,
	Means:       "a wrong credential is not refused with a client error",
	OnePlace:    true,
	Role:        requirement.RoleCredentialAnswer,
	Doc:         "A refused credential is answered with a client error (4xx), not with a redirect or another class.",
	Explanation: "A refused credential is answered with a client error (4xx), not with a redirect or any other status.",
	Fix:         "Return 401 with WWW-Authenticate, 403 or 400. Do not redirect API clients to a login page.",
	Check: func(p *requirement.Input) requirement.Outcome {
		// If a credential may be accepted, any answer but a success refuses it, or
		// refuses the body if that must be refused.
		may := p.Sent.Expectation() == message.Anything
		if p.Sent.CredentialOf(p.Requirement.Args.Scheme) == message.CredentialValid || may && (p.Got.Success() || flawed(p.Sent.Body)) {
			return requirement.None
		}
		if p.Got.Redirect() {
			return requirement.None
		}
		// An unusual head may be refused in another way, by whatever reads it
		// first, but not with a redirect that nothing in it asks for.
		if len(p.Sent.Transport) > 0 && (may || p.Got == nil || p.Got.Status/100 != 3 || p.Sent.Turned()) {
			return requirement.None
		}
		return expected(p.Got.Refusal(), p)
	},
}

// flawed reports whether a body must be refused whatever the credential is.
func flawed(b *schema.Reading) bool {
	return b != nil && (b.Kind == schema.Invalid || b.Kind == schema.NotJSON)
}

// refusesEmpty: a request without its required body is refused.
var refusesEmpty = requirement.Rule{
	Name:        "refuses-empty",
	Mild:        true,
	Rank:        requirement.Class,
	Category:    report.Leniency,
	Means:       "a missing body is accepted where one is required",
	OnePlace:    true,
	Role:        requirement.RoleRefusal,
	Doc:         "A request without a required body is not a success.",
	Explanation: "A request without a body, where one is required, is refused.",
	Fix:         "Refuse a request without a body before decoding it. Do not treat it as an empty object.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !p.Sent.Expectation().Refuses() || !p.Sent.Body.Empty {
			return requirement.None
		}
		return mustRefuse(p)
	},
}

// refusesMedia: a body of a media type that the document does not list is refused.
var refusesMedia = requirement.Rule{
	Name:        "refuses-media",
	Rank:        requirement.Class,
	Category:    report.Leniency,
	Means:       "a body of a media type that is not documented is accepted",
	OnePlace:    true,
	Role:        requirement.RoleRefusal,
	Doc:         "A body of a media type that the document does not list is not a success (RFC 9110, 15.5.16), in a request that is valid in all else.",
	Explanation: "The document lists the media types that a body may have, and 415. A body of another media type is refused.",
	Fix:         "Look at Content-Type before the body is read, and answer 415 to a media type that is not documented.",
	Check: func(p *requirement.Input) requirement.Outcome {
		switch {
		case !p.Sent.OtherMedia || p.Got.Redirect():
			return requirement.None
		case p.Got.Success():
			return requirement.Failed("taken", "415, or another client error", describe(p))
		}
		return requirement.Passed
	},
}

// refusesSchema: a body that violates one keyword of the schema is refused.
var refusesSchema = requirement.Rule{
	Name:        "refuses-schema",
	Tells:       report.TellsValue,
	Rank:        requirement.Class,
	Category:    report.Leniency,
	Means:       "a value that the schema forbids is accepted",
	Role:        requirement.RoleRefusal,
	Doc:         "A request that violates the keyword of Key at its place is not a success. If it violates several keywords, it is shrunk first and reported under the one that remains. With the kind any, every keyword counts.",
	Explanation: "A request that violates this keyword of the schema is refused. If it violates several keywords, it is shrunk first and reported under the one that remains.",
	Fix:         "Check this keyword when you read the value, before any conversion: no coercion, no default, no truncation.",
	Check: func(p *requirement.Input) requirement.Outcome {
		b := p.Sent.Body
		if !p.Sent.Expectation().Refuses() || b.Kind != schema.Invalid {
			return requirement.None
		}
		if args := p.Requirement.Args; args.Kind != requirement.AnyKeyword && !b.Violates(args.Key) {
			return requirement.None
		}
		return mustRefuse(p)
	},
}

// refusesSyntax: a body that is not JSON is refused.
var refusesSyntax = requirement.Rule{
	Name:        "refuses-syntax",
	Mild:        true,
	Tells:       report.TellsSyntax,
	Rank:        requirement.Class,
	Category:    report.Leniency,
	Means:       "a body that is not JSON is accepted",
	OnePlace:    true,
	Role:        requirement.RoleRefusal,
	Doc:         "A body that is not a JSON text (RFC 8259) is not a success.",
	Explanation: "A body that is not valid JSON (RFC 8259) is refused.",
	Fix:         "Use a strict JSON parser. Read the whole body: exactly one value, nothing after it, no extensions.",
	Check: func(p *requirement.Input) requirement.Outcome {
		b := p.Sent.Body
		if !p.Sent.Expectation().Refuses() || b.Kind != schema.NotJSON || b.Empty {
			return requirement.None
		}
		return mustRefuse(p)
	},
}
