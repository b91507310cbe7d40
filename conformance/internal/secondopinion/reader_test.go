package secondopinion_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/secondopinion"
	"plantstore/spec"
)

// documents are those of this repository, and one whose schemas go round.
func documents(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"openapi.yaml": spec.OpenAPI, "circle.yaml": []byte(`
openapi: 3.1.0
info: {title: Circle, version: '1'}
paths:
  /a:
    get:
      responses:
        '200': {description: it, content: {application/json: {schema: {type: object, properties: {a: {$ref: '#/components/schemas/A'}}}}}}
        4XX: {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
components:
  schemas:
    A: {type: [object, 'null'], required: [b], properties: {b: {$ref: '#/components/schemas/A'}, w: {type: string, writeOnly: true}}}
`)}
	files, err := filepath.Glob("../../../testdata/openapi/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		out[filepath.Base(f)], err = os.ReadFile(f)
		require.NoError(t, err)
	}
	return out
}

var bodies = []string{``, ` `, `null`, `true`, `7`, `"x"`, `[]`, `{}`, `[{}]`, `{"error":7,"message":"m"}`, `{"error":"7","message":"m"}`, `{"id":1,"name":"a"}`,
	`{"id":1,"name":"a","tag":null}`, `{"accepted":true,"sensor":"a","note":null}`, `{"accepted":"true","sensor":"a"}`, `{"a":{"b":{"b":null}}}`, `{"a":{"b":{"b":7}}}`,
	`{"b":{"b":{}}}`, `{"b":null}`, `{"b":null,"w":7}`, `{"count":1,"healthy":true,"last":null}`, `{"code":7,"text":"x"}`, `{`, `{} {}`, "\xef\xbb\xbf{}"}

// The parts of the library that this package uses say what the whole of it says.
func TestTheOpinionIsThatOfTheWholeLibrary(t *testing.T) {
	asked := 0
	for name, text := range documents(t) {
		c, err := openapi.Load(name, text)
		require.NoError(t, err)
		parts, err := secondopinion.New(c.Document())
		require.NoError(t, err, name)
		quiet := datamodel.DocumentConfiguration{Logger: slog.New(slog.DiscardHandler)}
		doc, err := libopenapi.NewDocumentWithConfiguration(c.Document(), &quiet)
		require.NoError(t, err)
		model, _ := doc.BuildV3Model() // circles are an error beside the model
		require.NotNil(t, model, name)
		whole := validator.NewValidatorFromV3Model(&model.Model)
		for _, op := range c.Operations {
			for _, status := range []int{200, 201, 202, 204, 400, 404, 422, 500} {
				for _, media := range []string{"application/json", "Application/JSON; charset=utf-8", "text/plain", "application/problem+json", ""} {
					for _, body := range bodies {
						req, err := http.NewRequest(op.Method, "http://target"+op.Path, nil)
						require.NoError(t, err)
						resp := &http.Response{StatusCode: status, Header: http.Header{}, Request: req, Body: io.NopCloser(bytes.NewReader([]byte(body)))}
						if media != "" {
							resp.Header.Set("Content-Type", media)
						}
						want, why := whole.ValidateHttpResponse(req, resp)
						got := parts.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: status, ContentType: media, Body: []byte(body)})
						asked++
						assert.Equal(t, want, got.OK, fmt.Sprintf("%s %s %d %q %q: %v; %s", name, op.Slug, status, media, body, why, got.Why))
					}
				}
			}
		}
	}
	assert.Greater(t, asked, 1000)
}

func TestADocumentThatTheLibraryCannotReadIsAnError(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `{}`, `{"swagger":"2.0"}`, `{"openapi":"3.1.0","info":{},"paths":{"/a":{"$ref":"#/b"}}}`} {
		r, err := secondopinion.New([]byte(text))
		if err == nil {
			assert.False(t, r.Ask(secondopinion.Answer{Method: "GET", Path: "/a", Status: 200}).OK, text)
			continue
		}
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A document that the suite takes does not bring the library down: a panic is an
// opinion, and a stack that overflows would end a run whose verdict is known.
func FuzzNoDocumentThatIsTakenBringsTheLibraryDown(f *testing.F) {
	head := "{openapi: 3.1.0, info: {title: T, version: '1'}, paths: {/a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}, components: {schemas: {A: "
	for _, s := range []string{
		"{oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}", "{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}",
		"{anyOf: [{$ref: '#/components/schemas/A/anyOf/0'}]}", "{not: {$ref: '#/components/schemas/A'}}", "true", "false", "{}", "{type: strin}",
		"{properties: {$ref: {type: string}, allOf: {items: {}}}}", "{$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema'}",
		"{items: {$ref: '#'}}", "{pattern: '('}", "{multipleOf: 1e400}", "{additionalProperties: {$ref: '#/components/schemas/A'}, minProperties: 1}",
		"{enum: [{$ref: a}], default: {$schema: b}, x-a: {$ref: c}}", "{discriminator: {propertyName: a, mapping: {a: b}}, oneOf: [{$ref: '#/components/schemas/B'}]}, B: {allOf: [{$ref: '#/components/schemas/A'}]}",
		strings.Repeat("{items: ", 300) + "{}" + strings.Repeat("}", 300),
	} {
		f.Add(head + s + "}}}")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		c, err := openapi.Load("a.yaml", []byte(text))
		if err != nil {
			return
		}
		r, err := secondopinion.New(c.Document())
		if err != nil {
			return
		}
		for _, op := range c.Operations {
			for _, body := range []string{`{"a":{"a":{}}}`, `[[],[[]]]`, `"x"`, `1`} {
				r.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: 200, ContentType: "application/json", Body: []byte(body)})
			}
		}
	})
}
