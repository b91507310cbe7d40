package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// validBody is the kind of a class whose requests are right but for the credential.
const validBody = "valid-body"

// presenting makes a class of requests that carry what an attempt presents.
func presenting(s *plan.Space, a request.Attempt, kind string, expected plan.ExpectedClass, cases int, build func(g *generate.Gen, draw int) *request.Message) plan.Class {
	c := single(of(plan.FamilyCredential, plan.Place{Name: a.Slug()}, kind, expected), cases, func(g *generate.Gen, draw int) *request.Message {
		m := build(g, draw)
		m.Credentials = a.All()
		return m
	})
	c.Phase = plan.Credential
	return c
}

// plainly reports whether an attempt is typical of its kind: no credential, or a
// well-formed wrong one.
func plainly(name string) bool {
	return name == "absent" || name == "wrong-invalid" || name == "bare-token" || name == "longer-by-one"
}

// sampleToken replaces the valid token while classes are made. An attempt is of the
// same kind for every token that it is useful for.
const sampleToken = "aB3dE5:fG7hJ9kM1nP"

// expectedOf says what a credential is: those that a server may take expected less.
func expectedOf(c request.Credential) plan.ExpectedClass {
	switch c {
	case request.CredentialAbsent, request.CredentialScheme, request.CredentialToken:
		return plan.ExpectRefusedCredential
	case request.CredentialValid, request.CredentialOther:
		return plan.ExpectNothing
	}
	return plan.ExpectMayRefuse
}
