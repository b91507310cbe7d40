package rules

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// accepted: a plain valid request is a success. Key.Path names the member that
// a row speaks of; the row without one takes the requests whose values are all
// mild, or several of them not.
var accepted = rule.Rule{
	Name: "accepted",
	Rank: rule.Class,
	Role: rule.RoleAcceptance,
	Doc:  "A plain valid request is answered with a success (2xx). Path names the member whose value is tried; without it the request as a whole is: its spelling, its order, several members at once.",
	Mend: "accept every value that the document allows: look at the type, length and character set that the code and the store give to this member",
	Check: func(p *rule.Pass) rule.Outcome {
		if p.Requirement.Args.Key.Path != subject(p) {
			return rule.None
		}
		// Of a telling value in pieces nobody knows which of both was refused.
		if p.Sent.Duty() != request.Accept || p.Sent.Cut && len(p.Sent.Body.Unmild) > 0 {
			return rule.None
		}
		return owed(p.Got.Success(), p)
	},
}

// subject is the member that a plain request is about: the one that is not
// mild, or, where all are, the place that the class names.
func subject(p *rule.Pass) string {
	b := p.Sent.Body
	switch {
	case b == nil || b.Respelled || len(b.Edges) > 0 || len(b.Unmild) > 1:
		return ""
	case len(b.Unmild) == 1:
		return b.Unmild[0]
	}
	for _, member := range p.Op.Body.Shape.Schema.Properties {
		if path := "/" + jsontree.EscapePointer(member.Name); path == p.Place {
			return path
		}
	}
	return ""
}

// someAccepted: where some implementations rightly refuse a member's values, one
// accepted value is enough.
var someAccepted = rule.Rule{
	Name: "some-accepted",
	Rank: rule.Class,
	Doc:  "Of the valid requests that give the member at Path, at least one is a success: which values are allowed is not shown, that the member may be given is.",
	Mend: "accept the member that the document lists",
	Some: true,
	Check: func(p *rule.Pass) rule.Outcome {
		b, path := p.Sent.Body, p.Requirement.Args.Key.Path
		if b == nil || p.Sent.Duty() != request.Either || p.Sent.Reused || len(b.Edges) != 1 ||
			b.Edges[0].Path != path || b.Edges[0].What != "given" {
			return rule.None
		}
		if p.Got.Success() {
			return rule.Passed
		}
		return rule.Failed(signature(p), "a success for some value of the member", describe(p))
	},
}

// optional: a member that is not required may be left out.
var optional = rule.Rule{
	Name: "optional",
	Rank: rule.Class,
	Role: rule.RoleOmission,
	Doc:  "A plain request without the optional member at Path is a success. It is charged here only where the target was seen to take the same request with the member.",
	Mend: "do not require a member that the document does not require",
	Check: func(p *rule.Pass) rule.Outcome {
		path := p.Requirement.Args.Key.Path
		if p.Sent.Duty() != request.Accept || p.Sent.Body == nil || p.Sent.Body.Root().At(path) != nil {
			return rule.None
		}
		if p.Got.Success() {
			return rule.Passed
		}
		if !p.Needs[path] {
			return rule.None
		}
		return owed(false, p)
	},
}

// acceptsCredential: what bearer authentication allows beyond the usual
// spelling.
var acceptsCredential = rule.Rule{
	Name: "accepts-credential",
	Rank: rule.Advice,
	Role: rule.RoleCredentialAcceptance,
	Doc:  "The valid credential is accepted in every spelling that HTTP authentication allows. Kind is case (scheme name in any case) or blanks (several blanks behind it).",
	Mend: "compare the scheme name without case and skip all blanks behind it (RFC 9110, 11.1 and 11.4)",
	Check: func(p *rule.Pass) rule.Outcome {
		want := request.CredentialCase
		if p.Requirement.Args.Kind == "blanks" {
			want = request.CredentialBlanks
		}
		if p.Sent.Credential != want || len(p.Sent.Transport) > 0 || p.Sent.Body != nil && p.Sent.Body.Kind > 0 {
			return rule.None
		}
		if p.Got.Success() {
			return rule.Passed
		}
		return rule.Failed(signature(p), "a success", describe(p))
	},
}

// owed passes, or fails with what the request is owed.
func owed(ok bool, p *rule.Pass) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return verdictOf(false, p, expectation(p))
}

// verdictOf is a shorthand for outcomes that pass or fail.
func verdictOf(ok bool, p *rule.Pass, want string) rule.Outcome {
	if ok {
		return rule.Passed
	}
	return rule.Failed(signature(p), want, describe(p))
}
