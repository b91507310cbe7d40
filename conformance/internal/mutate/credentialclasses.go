package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// validBody is the kind of a class whose requests are right but for the credential.
const validBody = "valid-body"

// presenting makes a class of requests that carry what an attempt presents.
func presenting(s *plan.Space, a message.Attempt, kind string, expected plan.ExpectedClass, cases int, build func(g *generate.Gen, draw int) *message.Message) plan.Class {
	c := single(of(plan.FamilyCredential, plan.Place{Name: a.Slug()}, kind, expected), cases, func(g *generate.Gen, draw int) *message.Message {
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
func expectedOf(c message.Credential) plan.ExpectedClass {
	switch c {
	case message.CredentialAbsent, message.CredentialScheme, message.CredentialToken:
		return plan.ExpectRefusedCredential
	case message.CredentialValid, message.CredentialOther:
		return plan.ExpectNothing
	}
	return plan.ExpectMayRefuse
}
