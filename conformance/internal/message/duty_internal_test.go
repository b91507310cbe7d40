package message

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

func TestABodyOfAnUnlistedMediaTypeIsToldApartWhere415IsDocumented(t *testing.T) {
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
		{"4XX", "application/x-conformance", nil, false},
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
