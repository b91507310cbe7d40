package message

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

func TestWhatTheUserPutsIntoEveryRequestMakesNoHeadLarge(t *testing.T) {
	long := strings.Repeat("x", 9000)
	op := &openapi.Operation{Security: [][]*openapi.Scheme{{{Type: "http", HTTP: "bearer", Given: true}}}}
	e := &Endpoint{Token: long, Headers: []exchange.Field{{Name: "X-Own", Value: long}, {Name: "X-Tag", Value: "a"}, {Name: "X-Tag", Value: "b"}}}
	fields := append([]exchange.Field{{Name: "Host"}, {Name: "User-Agent", Value: "u"}, {Name: "Authorization", Value: "Bearer " + long}}, e.Headers...)
	large := func(fields []exchange.Field, more int) bool {
		return slices.Contains(e.transport(op, fields, 2*9000+200+more, nil), "large head")
	}
	assert.Empty(t, e.transport(op, fields, 2*9000+200, nil))
	assert.True(t, large(fields, 9000))
	assert.True(t, large(append(fields[:2:2], exchange.Field{Name: "X-Other", Value: long}), 0), "a field of the suite")
	e.Token = "short"
	assert.True(t, large(fields, 0), "a credential that is longer than the user's")
}

func TestAFieldThatComesTwiceMayBeRefused(t *testing.T) {
	op := &openapi.Operation{}
	e := &Endpoint{Headers: []exchange.Field{{Name: "X-Tag", Value: "a"}}}
	fields := []exchange.Field{{Name: "Host"}, {Name: "User-Agent", Value: "u"}}
	assert.Empty(t, e.transport(op, append(fields[:2:2], e.Headers[0], e.Headers[0]), 100, nil), "the user sends it")
	assert.Equal(t, []string{"field host twice"}, e.transport(op, append(fields[:2:2], fields[0]), 100, nil), "RFC 9112, 3.2")
	assert.Equal(t, []string{"field user-agent twice"}, e.transport(op, append(fields[:2:2], fields[1]), 100, nil))
}

func TestABodyThatCannotBeDecidedMayBeAcceptedOrRefused(t *testing.T) {
	assert.Equal(t, Either, (&Sent{Body: &schema.Reading{Kind: schema.Undecided}}).Expectation())
	assert.Equal(t, Anything, (&Sent{Body: &schema.Reading{Kind: schema.Undecided}, Transport: []string{"query"}}).Expectation())
}

func TestChunksEndInsideCharactersOrBehindEachByte(t *testing.T) {
	assert.Equal(t, []int{2, 3}, insideCharacters([]byte("aé植b")))
	assert.Equal(t, []int{1, 1, 1}, insideCharacters([]byte("a b")))
	assert.Len(t, insideCharacters([]byte(strings.Repeat("a", 1000))), maxChunks)
}

func TestABodyIsCutInsideACharacterOrBetweenBlanks(t *testing.T) {
	assert.Equal(t, 2, insideCharacter([]byte("aéb  c")))
	assert.Equal(t, 2, insideCharacter([]byte("a  bcdef")))
	assert.Equal(t, 3, insideCharacter([]byte("abcdef")))
}

func TestAGapStandsBehindTheColonsOfFieldsAlone(t *testing.T) {
	head := []byte("POST /a: HTTP/1.1\r\nHost: b: c\r\nX:\r\n\r\n")
	assert.Equal(t, string(head), string(OneBlank.in(head)))
	assert.Equal(t, "POST /a: HTTP/1.1\r\nHost:b: c\r\nX:\r\n\r\n", string(NoBlank.in(head)))
}

func TestARequestWithAnExpectationOfItsOwnIsTheLastOnItsConnection(t *testing.T) {
	e := &Endpoint{Auth: func(*openapi.Operation) *Auth { return nil }}
	m := &Message{Op: &openapi.Operation{Method: "POST", Path: "/"}, Raw: []byte("{}")}
	assert.False(t, e.render(m, "", false).Alone)
	m.Fields = []exchange.Field{{Name: "expect", Value: "200-ok"}}
	assert.True(t, e.render(m, "", false).Alone)
}

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

func TestAPathWithAnEncodedLetterIsTheSamePath(t *testing.T) {
	for path, want := range map[string]string{"/plants": "/%70lants", "/1/Zoo%20s": "/1/%5Aoo%20s", "/": "/", "/%2F1": "/%2F1", "/%2Fa": "/%2F%61"} {
		assert.Equal(t, want, encoded(path), path)
	}
	for path, want := range map[string]string{"/%70lants": "/plants", "/%5aoo": "/Zoo", "/%2Fa%5B%7E%20": "/%2Fa%5B%7E%20", "/%4": "/%4", "/%x1": "/%x1"} {
		assert.Equal(t, want, decoded(path), path)
	}
}

func TestEverySpellingOfAPathIsUndoneWhereItTellsNothingElse(t *testing.T) {
	for template, want := range map[string][]PathSpelling{
		"/plants":     {LetterEncoded, SlashBehind, SlashTwice, DotBefore, UpperCase, SemicolonBehind},
		"/1":          {SlashBehind, SlashTwice, DotBefore, SemicolonBehind},
		"/plants/":    {LetterEncoded, SlashTwice, DotBefore, UpperCase, SemicolonBehind},
		"/users/{id}": {LetterEncoded, SlashTwice, DotBefore, UpperCase},
		"/{id}":       {SlashTwice, DotBefore},
		"/":           {DotBefore, SemicolonBehind},
	} {
		assert.Equal(t, want, PathSpellings(template), template)
	}
	for _, row := range []struct{ template, path, plain string }{
		{"/users/{id}", "/Users/A;x", "/users/A;x"},
		{"/users/{id}", "/users/", "/users/"},
		{"/users/{id}/pets", "/users/A/pets/", "/users/A/pets"},
		{"/users/{id}/pets", "//users/%41/pets;x", "/users/A/pets"},
		{"/plants", "/Plants", "/plants"},
	} {
		assert.Equal(t, row.plain, usualPath(row.template, row.path), row.path)
	}
}

func TestABodyOfAnUnlistedMediaTypeIsToldApartWhere415IsDescribed(t *testing.T) {
	for _, one := range []struct {
		status, contentType string
		drop                []string
		want                bool
	}{
		{"415", "application/x-conformance", nil, true},
		{"415", "text/csv", nil, false},
		{"415", "application/json", nil, false},
		{"415", "application/json; charset=utf-16", nil, false},
		{"415", "nothing", nil, false},
		{"415", "application/x-conformance", []string{"User-Agent"}, false},
		{"4XX", "application/x-conformance", nil, true},
		{"default", "application/x-conformance", nil, true},
		{"422", "application/x-conformance", nil, false},
	} {
		c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}, text/csv: {schema: {type: string}}}}
      responses: {'200': {description: ok}, '`+one.status+`': {description: no}}
`))
		require.NoError(t, err)
		e := &Endpoint{UserAgent: "test", Target: exchange.Target{Scheme: "http", Authority: "t", Address: "t:80"}, Auth: func(*openapi.Operation) *Auth { return nil }}
		m := &Message{Op: c.Operations[0], Tree: jsontree.NewObject(), Drop: one.drop, Fields: []exchange.Field{{Name: "Content-Type", Value: one.contentType}}}
		assert.Equal(t, one.want, e.Classify(m, e.Wire(m, "c")).OtherMedia, "%v", one)
	}
}

func TestAnOptionalBodyOfAnUnlistedMediaTypeMayBeIgnored(t *testing.T) {
	for _, one := range []struct {
		required, contentType string
		want                  Expectation
	}{
		{"false", "text/plain", Anything},
		{"false", "application/json; charset=utf-16", RefuseAnyhow},
		{"true", "text/plain", RefuseAnyhow},
	} {
		c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t: {post: {requestBody: {required: `+one.required+`, content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}}
`))
		require.NoError(t, err)
		e := &Endpoint{UserAgent: "test", Target: exchange.Target{Scheme: "http", Authority: "t", Address: "t:80"}, Auth: func(*openapi.Operation) *Auth { return nil }}
		m := &Message{Op: c.Operations[0], Tree: jsontree.NewArray(), Fields: []exchange.Field{{Name: "Content-Type", Value: one.contentType}}}
		assert.Equal(t, one.want, e.Classify(m, e.Wire(m, "c")).Expectation(), "%v", one)
	}
}

// A large body that breaks the schema is refused also where the document has an entity tag beside it.
func TestAConditionThatTheDocumentHasExcusesNoBody(t *testing.T) {
	for parameters, want := range map[string]Expectation{"{name: if-match, in: header, schema: {type: string}}": RefuseAnyhow, "": Anything} {
		c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t: {put: {parameters: [`+parameters+`], requestBody: {required: true, content: {application/json: {schema: {type: string, maxLength: 9000}}}}, responses: {'200': {description: ok}}}}
`))
		require.NoError(t, err)
		e := &Endpoint{UserAgent: "test", Target: exchange.Target{Scheme: "http", Authority: "t", Address: "t:80"}, Auth: func(*openapi.Operation) *Auth { return nil }}
		m := &Message{Op: c.Operations[0], Tree: jsontree.NewString(strings.Repeat("a", 9001)), Fields: []exchange.Field{{Name: "If-Match", Value: `"1"`}}}
		assert.Equal(t, want, e.Classify(m, e.Wire(m, "c")).Expectation(), parameters)
	}
}

func TestAShellReadsAWordWithCommandsAsItIsMeant(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	for word, want := range map[string]string{
		`Bearer $TOKEN`:                                 `Bearer a b:c`,
		`"Bearer $TOKEN"`:                               `"Bearer a b:c"`,
		"back`tick \\ slash":                            "back`tick \\ slash",
		`Basic $(printf %s "$TOKEN" | base64 -w0)`:      `Basic YSBiOmM=`,
		`"$(printf %s "$TOKEN" | tr a Z)" $(printf x)y`: `"Z b:c" xy`,
		`$(printf %s "$(printf %s "$TOKEN")")`:          `a b:c`,
	} {
		c := exec.Command(bash, "-c", "printf %s "+quote(word, true))
		c.Env = []string{"TOKEN=a b:c", "PATH=/usr/bin:/bin"}
		out, err := c.Output()
		require.NoError(t, err, word)
		assert.Equal(t, want, string(out), word)
	}
}
