package checks

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// refusesCredential: a request without the valid credential is never a success.
var refusesCredential = rule.Rule{
	Name:        "refuses-credential",
	Rank:        rule.Class,
	Role:        rule.RoleCredentialRefusal,
	Doc:         "A request whose credential is absent, of another scheme, malformed or wrong is never a success. Kind is absent, scheme or token.",
	Explanation: "A request whose credential is missing, malformed, wrong, or of another scheme never succeeds.",
	Fix:         "Compare the whole credential, scheme and token, on every request, before anything is stored.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Sent.Expectation() != message.RefuseCredential || credentialKind(p.Sent.CredentialOf(p.Requirement.Args.Scheme)) != p.Requirement.Args.Kind {
			return rule.None
		}
		if p.Got.Redirect() {
			return rule.None // it may lead to where one signs in
		}
		if p.Got.Success() && !answers(p) && (p.Sent.PathRespelled || p.Sent.Elsewhere() && !itsOwn(p)) {
			return rule.None // something else may answer, and need no credential
		}
		return expected(!p.Got.Success(), p)
	},
}

// leastRepeated is the shortest text of a request that no answer has by chance, in bytes.
const leastRepeated = 5

// answers reports whether an answer is that of the operation: it is as documented, and
// repeats a text of the body.
func answers(p *rule.Input) bool {
	g := p.Got
	if g.Documented == nil || !g.Documented.Matches(g.Status) || g.Reading == nil || g.Reading.Kind != openapi.MustAccept || p.Sent.Body == nil {
		return false
	}
	sent := map[string]bool{}
	p.Sent.Body.Root().Walk(func(_ string, v *jsontree.Value) {
		if v.Kind == jsontree.String && len(v.Text) >= leastRepeated {
			sent[v.Text] = true
		}
	})
	repeated := false
	g.Reading.Root().Walk(func(_ string, v *jsontree.Value) { repeated = repeated || v.Kind == jsontree.String && sent[v.Text] })
	return repeated
}

// itsOwn reports whether the operation documents a status, and a GET of the same path would
// not answer with it.
func itsOwn(p *rule.Input) bool {
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
