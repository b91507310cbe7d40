package message

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// The other principal has a credential of its own for a, and the usual one for b.
func TestTheOtherPrincipalSendsItsOwnCredential(t *testing.T) {
	a, b := keyed("a"), keyed("b")
	auth := authOf(t, []*openapi.Scheme{a, b})
	e := &Endpoint{Target: exchange.Target{Authority: "t"}, Keys: NewKeys(map[string]string{"a": "A1", "b": "B1"}),
		Other: map[string]string{"a": "A2"}, Auth: func(*openapi.Operation) *Auth { return auth }}
	usual, other := &Message{Op: auth.op}, &Message{Op: auth.op, Other: true}
	for m, want := range map[*Message][]string{usual: {"X-a: A1", "X-b: B1"}, other: {"X-a: A2", "X-b: B1"}} {
		wire := e.Wire(m, "")
		for _, line := range want {
			assert.Contains(t, string(wire.Head), line+"\r\n")
		}
		assert.Equal(t, CredentialValid, e.Classify(m, wire).Credential, want)
	}
	assert.Equal(t, "A1", e.Credential("a"))
	assert.Equal(t, "A2", e.AsOther().Credential("a"))
	assert.Equal(t, "B1", e.AsOther().Credential("b"))
	e.Keys.Renew(map[string]string{"b": "B2"})
	assert.Contains(t, string(e.Wire(other, "").Head), "X-a: A2\r\nX-b: B2\r\n")
	assert.NotContains(t, string(e.Shown(other, "").Head), "A2")
}

// A wrong credential may be that of the other principal by chance.
func TestACredentialOfTheOtherPrincipalIsNotWrong(t *testing.T) {
	a := keyed("a")
	auth := authOf(t, []*openapi.Scheme{a})
	e := &Endpoint{Target: exchange.Target{Authority: "t"}, Keys: NewKeys(map[string]string{"a": "key-1"}),
		Other: map[string]string{"a": "key-2"}, Auth: func(*openapi.Operation) *Auth { return auth }}
	for value, want := range map[string]Credential{"key-1": CredentialValid, "key-2": CredentialUnclear, "key-3": CredentialToken} {
		m := &Message{Op: auth.op, Credentials: []Presented{{Field: "X-a", Value: func(string) string { return value }, Show: "w"}}}
		assert.Equal(t, want, e.Classify(m, e.Wire(m, "")).Credential, value)
	}
}
