package proof_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
	"plantstore/spec"
)

// schemas compiles schemas of the document, with int64 and int32 asserted.
func schemas(t testing.TB, names ...string) []*jsonschema.Schema {
	t.Helper()
	var document any
	require.NoError(t, yaml.Unmarshal(spec.OpenAPI, &document))
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "int64", Validate: within("9223372036854775807", "-9223372036854775808")})
	c.RegisterFormat(&jsonschema.Format{Name: "int32", Validate: within("2147483647", "-2147483648")})
	require.NoError(t, c.AddResource("openapi.yaml", document))
	var out []*jsonschema.Schema
	for _, name := range names {
		s, err := c.Compile("openapi.yaml#/components/schemas/" + name)
		require.NoError(t, err)
		out = append(out, s)
	}
	return out
}

// document says of an exchange whether it is as libopenapi-validator reads the
// document.
func document(t testing.TB) func(r *http.Request, resp *http.Response) []string {
	t.Helper()
	quiet := datamodel.DocumentConfiguration{Logger: slog.New(slog.DiscardHandler)}
	doc, err := libopenapi.NewDocumentWithConfiguration(spec.OpenAPI, &quiet)
	require.NoError(t, err)
	v, errs := validator.NewValidator(doc)
	require.Empty(t, errs)
	return func(r *http.Request, resp *http.Response) (why []string) {
		ok, found := v.ValidateHttpResponse(r, resp)
		for _, e := range found {
			why = append(why, e.Message+": "+e.Reason)
		}
		if !ok && len(why) == 0 {
			why = []string{"invalid"}
		}
		return why
	}
}

// bodies are requests of every kind that the server tells apart.
func bodies() []string {
	return []string{
		`{"id":1,"name":"fern"}`, `{"id":1,"name":"fern","tag":"herb"}`, `{"id":1,"name":"","tag":""}`, `{"id":1e2,"name":"\u0000<&>🌱\u2028"}`,
		`{"id":-9223372036854775808,"name":"a","more":[{}]}`, ``, ` `, `{`, `null`, `[]`, `1`, `"x"`, `{}`, `{"id":1}`, `{"name":"a"}`, `{"id":1.5,"name":"a"}`,
		`{"id":"1","name":"a"}`, `{"id":9223372036854775808,"name":"a"}`, `{"id":1,"name":null}`, `{"id":1,"name":"a","tag":null}`, `{"id":1,"id":1,"name":"a"}`,
		"{\"id\":1,\"name\":\"\xff\"}", `{"id":1,"name":"\ud800"}`, `{"id":1,"name":"a"} x`, "\ufeff{}", strings.Repeat(" ", reference.MaxBody+1),
	}
}

func TestTheDocumentTakesEveryAnswerOfTheServer(t *testing.T) {
	takes := document(t)
	handlers := map[string]*reference.Server{
		"memory": reference.New(reference.Config{Tokens: []string{"t"}, UniqueIDs: true}),
		"file":   reference.New(reference.Config{Tokens: []string{"t"}, Store: keep(t)}),
		"panics": reference.New(reference.Config{Tokens: []string{"t"}, Alter: func(s *reference.Stages) { s.Decode = nil }}),
	}
	statuses := map[int]int{}
	for name, h := range handlers {
		for _, credential := range []string{"Bearer t", "Bearer x", "Basic t", ""} {
			for _, media := range []string{"application/json", "text/plain", ""} {
				for _, body := range bodies() {
					send := func() *http.Request {
						r := httptest.NewRequest(http.MethodPost, "http://plants.test/plants", strings.NewReader(body))
						r.Header["Authorization"], r.Header["Content-Type"] = []string{credential}, []string{media}
						return r
					}
					w := httptest.NewRecorder()
					h.ServeHTTP(w, send())
					resp := w.Result()
					text, err := io.ReadAll(resp.Body)
					require.NoError(t, err)
					resp.Body = io.NopCloser(bytes.NewReader(text))
					assert.Empty(t, takes(send(), resp), "%s, %q, %q, %.80q: %s", name, credential, media, body, text)
					statuses[resp.StatusCode]++
				}
			}
		}
	}
	assert.Len(t, statuses, 2, "200 and 400 and nothing else: %v", statuses)
	odd := httptest.NewRecorder()
	odd.Header().Set("Content-Type", "application/json")
	_, _ = odd.WriteString(`{"tag":1}`)
	assert.NotEmpty(t, takes(httptest.NewRequest(http.MethodPost, "http://plants.test/plants", nil), odd.Result()), "this test can fail")
}
