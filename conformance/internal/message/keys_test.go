package message

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// byKey is a scheme with a key in a header field, for operations of two kinds.
func byKey() Scheme {
	return Scheme{Name: "key", Serves: func(*openapi.Scheme) bool { return true },
		Valid: func(s *openapi.Scheme) []Presented {
			return []Presented{{Field: s.Field, Value: func(t string) string { return t }, Show: "$CONFORMANCE_TOKEN"}}
		},
		Attempts: func(s *openapi.Scheme) []Attempt {
			return []Attempt{{Name: "absent", Presented: []Presented{}},
				{Name: "wrong", Presented: []Presented{{Field: s.Field, Value: func(string) string { return "wrong" }, Show: "wrong"}}}}
		},
		Classify: func(s *openapi.Scheme, in Carried, token string) (Credential, bool) {
			for _, f := range in.Fields {
				if f.Name == s.Field && f.Value == token {
					return CredentialValid, false
				} else if f.Name == s.Field {
					return CredentialToken, false
				}
			}
			return CredentialAbsent, false
		}}
}

func keyed(name string) *openapi.Scheme {
	return &openapi.Scheme{Name: name, Slug: name, Type: "apiKey", In: "header", Field: "X-" + name, Given: true}
}

func authOf(t *testing.T, security ...[]*openapi.Scheme) *Auth {
	t.Helper()
	a, err := NewAuth([]Scheme{byKey()}, &openapi.Operation{Method: "GET", Path: "/a", Security: security})
	require.NoError(t, err)
	return a
}

// read classifies fields, with the name of each scheme as its credential.
func (a *Auth) read(fields ...exchange.Field) credentials {
	return a.classify(Carried{Fields: fields}, func(scheme string) []string { return []string{scheme, "old-" + scheme} })
}

func TestWhatSeveralSchemesCarryIsReadTogether(t *testing.T) {
	a, b, c := keyed("a"), keyed("b"), keyed("c")
	auth := authOf(t, []*openapi.Scheme{a, b}, []*openapi.Scheme{c})
	right := func(n string) exchange.Field { return exchange.Field{Name: "X-" + n, Value: n} }
	wrong := func(n string) exchange.Field { return exchange.Field{Name: "X-" + n, Value: "w"} }
	for _, row := range []struct {
		name   string
		fields []exchange.Field
		want   credentials
	}{
		{"both", []exchange.Field{right("a"), right("b")}, credentials{}},
		{"the other alternative", []exchange.Field{right("c")}, credentials{Credential: CredentialOther, Alternative: "c"}},
		{"one half", []exchange.Field{right("a")}, credentials{Credential: CredentialAbsent, Faults: []Fault{{"b", CredentialAbsent}}}},
		{"a wrong half", []exchange.Field{right("a"), wrong("b")}, credentials{Credential: CredentialToken, Faults: []Fault{{"b", CredentialToken}}}},
		{"a wrong other", []exchange.Field{wrong("c")}, credentials{Credential: CredentialToken, Faults: []Fault{{"c", CredentialToken}}}},
		{"a wrong other beside a right half", []exchange.Field{right("a"), wrong("c")},
			credentials{Credential: CredentialToken, Faults: []Fault{{"b", CredentialAbsent}, {"c", CredentialToken}}}},
		{"both beside a wrong other", []exchange.Field{right("a"), right("b"), wrong("c")}, credentials{Credential: CredentialUnclear}},
		{"the other beside a half", []exchange.Field{right("a"), right("c")}, credentials{Credential: CredentialUnclear}},
		{"one that was right before", []exchange.Field{{Name: "X-c", Value: "old-c"}}, credentials{Credential: CredentialUnclear}},
		{"none", nil, credentials{Credential: CredentialAbsent, Faults: []Fault{{"a", CredentialAbsent}, {"b", CredentialAbsent}, {"c", CredentialAbsent}}}},
	} {
		assert.Equal(t, row.want, auth.read(row.fields...), row.name)
	}
}

func TestTheCredentialOfAnotherSchemeMayBeThatOfOneThatIsNotGiven(t *testing.T) {
	a, b := keyed("a"), keyed("b")
	b.Given = false
	auth := authOf(t, []*openapi.Scheme{a}, []*openapi.Scheme{b})
	assert.Equal(t, CredentialUnclear, auth.read(exchange.Field{Name: "X-b", Value: "a"}).Credential)
	assert.Equal(t, CredentialToken, authOf(t, []*openapi.Scheme{a}).read(exchange.Field{Name: "X-a", Value: "b"}).Credential)
	assert.Empty(t, auth.Others())
}

func TestATokenForEverySchemeIsNotJudgedInAnotherAlternative(t *testing.T) {
	a, b := keyed("a"), keyed("b")
	a.Shared, b.Shared = true, true
	auth := authOf(t, []*openapi.Scheme{a}, []*openapi.Scheme{b})
	assert.Empty(t, auth.Others())
	assert.Equal(t, CredentialUnclear, auth.read(exchange.Field{Name: "X-b", Value: "b"}).Credential)
	assert.Equal(t, CredentialValid, auth.read(exchange.Field{Name: "X-a", Value: "a"}).Credential)
}

func TestEachSchemeIsTriedWithTheOthersOfItsAlternativeRight(t *testing.T) {
	auth := authOf(t, []*openapi.Scheme{keyed("a"), keyed("b")}, []*openapi.Scheme{keyed("c")})
	var got []string
	for _, x := range auth.Attempts() {
		line := x.Slug() + ":"
		for _, p := range x.All() {
			line += " " + p.Field + "=" + p.Value(p.Scheme)
		}
		got = append(got, line)
	}
	assert.ElementsMatch(t, []string{"a-absent: X-b=b", "a-wrong: X-b=b X-a=wrong", "b-absent: X-a=a", "b-wrong: X-a=a X-b=wrong",
		"absent:", "c-wrong: X-c=wrong"}, got)
}

func TestARequestIsReadWithTheCredentialsThatItWasMadeWith(t *testing.T) {
	auth := authOf(t, []*openapi.Scheme{keyed("a")})
	e := &Endpoint{Keys: NewKeys(map[string]string{"a": "first"}), Auth: func(*openapi.Operation) *Auth { return auth }}
	m := &Message{Op: auth.op}
	old := e.Wire(m, "")
	e.Keys.Renew(map[string]string{"a": "second"})
	now := e.Wire(m, "")
	assert.Contains(t, string(old.Head), "X-a: first\r\n")
	assert.Contains(t, string(now.Head), "X-a: second\r\n")
	assert.Equal(t, CredentialValid, e.Classify(m, old).Credential)
	assert.Equal(t, CredentialValid, e.Classify(m, now).Credential)
	old.Keys = now.Keys
	assert.Equal(t, CredentialUnclear, e.Classify(m, old).Credential, "it may not have expired")
	assert.Contains(t, string(e.Shown(m, "").Head), "X-a: $CONFORMANCE_AUTH_A\r\n")
}
