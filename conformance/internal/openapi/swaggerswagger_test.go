package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// convert reads a document of Swagger 2.0 with one operation.
func convert(t *testing.T, top, operation string) *openapi.SwaggerDocument {
	t.Helper()
	doc, err := jsontree.Parse([]byte(`{"swagger":"2.0",` + top + `"paths":{"/a":{"post":{` + operation + `}}}}`))
	require.NoError(t, err)
	return openapi.ConvertSwagger(doc.Root)
}

func TestEachPartOfSwagger2BecomesWhatOpenAPI3SaysForIt(t *testing.T) {
	const post = "/paths/~1a/post"
	for _, row := range []struct{ top, operation, at, want, origin string }{
		{`"host":"h","basePath":"/b","schemes":["http","ws"],`, ``, "/servers", `[{"url":"http://h/b"}]`, "/basePath"},
		{`"basePath":"/b",`, ``, "/servers", `[{"url":"/b"}]`, "/basePath"},
		{`"host":"h",`, ``, "/servers", `[{"url":"https://h"}]`, "/host"},
		{`"definitions":{"A":{"$ref":"#/definitions/B"},"B":{"type":"file"}},`, ``, "/components/schemas", `{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"string","format":"binary"}}`, "/definitions"},
		{`"definitions":{"A":{"properties":{"example":{"$ref":"#/definitions/A"}},"example":{"$ref":"#/definitions/A"}}},`, ``, "/components/schemas/A",
			`{"properties":{"example":{"$ref":"#/components/schemas/A"}},"example":{"$ref":"#/definitions/A"}}`, "/definitions/A"},
		{`"securityDefinitions":{"b":{"type":"basic"}},`, ``, "/components/securitySchemes/b", `{"type":"http","scheme":"basic"}`, "/securityDefinitions/b"},
		{`"securityDefinitions":{"o":{"type":"oauth2","flow":"accessCode","authorizationUrl":"x","tokenUrl":"y","scopes":{"s":"t"}}},`, ``, "/components/securitySchemes/o",
			`{"type":"oauth2","flows":{"authorizationCode":{"authorizationUrl":"x","tokenUrl":"y","scopes":{"s":"t"}}}}`, "/securityDefinitions/o"},
		{``, `"parameters":[{"name":"q","in":"query","type":"array","items":{"type":"string"},"collectionFormat":"ssv"}]`, post + "/parameters/0",
			`{"name":"q","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"spaceDelimited","explode":false}`, post + "/parameters/0"},
		{``, `"parameters":[{"name":"b","in":"body","schema":{}},{"name":"q","in":"query","type":"integer","maximum":5}]`, post + "/parameters/0/schema",
			`{"type":"integer","maximum":5}`, post + "/parameters/1"},
		{``, `"parameters":[{"name":"q","in":"query","type":"integer","x-example":5}]`, post + "/parameters/0", `{"name":"q","in":"query","x-example":5,"example":5,"schema":{"type":"integer"}}`, post + "/parameters/0"},
		{`"consumes":["text/plain"],`, `"parameters":[{"name":"b","in":"body","required":true,"schema":{"type":"string"}}]`, post + "/requestBody",
			`{"required":true,"content":{"text/plain":{"schema":{"type":"string"}}}}`, post + "/parameters/0"},
		{``, `"parameters":[{"name":"n","in":"formData","type":"integer","required":true},{"name":"l","in":"formData","type":"array","items":{},"collectionFormat":"multi"}]`, post + "/requestBody",
			`{"required":true,"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"n":{"type":"integer"},"l":{"type":"array","items":{}}},"required":["n"]},` +
				`"encoding":{"l":{"style":"form","explode":true}}}}}`, post + "/parameters"},
		{`"consumes":["application/x-www-form-urlencoded"],`, `"parameters":[{"name":"f","in":"formData","type":"file"}]`, post + "/requestBody/content/multipart~1form-data/schema/properties/f",
			`{"type":"string","format":"binary"}`, post + "/parameters/0"},
		{``, `"produces":["a/b"],"responses":{"200":{"description":"d","schema":{"type":"string"},"examples":{"a/b":"x"},"headers":{"H":{"type":"integer"}}}}`, post + "/responses/200",
			`{"description":"d","headers":{"H":{"schema":{"type":"integer"}}},"content":{"a/b":{"schema":{"type":"string"},"example":"x"}}}`, post + "/responses/200"},
		{``, `"responses":{"200":{"description":"d","schema":{"type":"string"}}}`, post + "/responses/200/content",
			`{"application/json":{"schema":{"type":"string"}},"*/*":{}}`, post + "/responses/200"},
		{`"definitions":{"E":{"type":"object"}},"produces":["application/problem+json"],`, `"produces":["image/png"],"responses":{"404":{"description":"d","schema":{"$ref":"#/definitions/E"}}}`, post + "/responses/404/content",
			`{"image/png":{"schema":{"$ref":"#/components/schemas/E"}},"application/problem+json":{"schema":{"$ref":"#/components/schemas/E"}}}`, post + "/responses/404"},
		{``, `"produces":["image/png"],"responses":{"default":{"description":"d","schema":{"properties":{}}}}`, post + "/responses/default/content",
			`{"image/png":{"schema":{"properties":{}}},"application/json":{"schema":{"properties":{}}}}`, post + "/responses/default"},
		{``, `"produces":["text/plain"],"responses":{"404":{"description":"d","schema":{"type":"string"}}}`, post + "/responses/404/content", `{"text/plain":{"schema":{"type":"string"}}}`, post + "/responses/404"},
		{`"responses":{"R":{"description":"r"}},`, `"responses":{"default":{"$ref":"#/responses/R"}}`, post + "/responses/default", `{"description":"r"}`, "/responses/R"},
		{``, `"responses":{"default":{"$ref":"#/responses/none"}}`, post + "/responses/default", `{"$ref":"#/responses/none"}`, post + "/responses/default"},
	} {
		d := convert(t, row.top, row.operation)
		at := d.Root.At(row.at)
		if assert.NotNil(t, at, row.at+" of "+row.top+row.operation) {
			assert.Equal(t, row.want, string(at.Emit()), row.top+row.operation)
			assert.Equal(t, row.origin, d.Origin(row.at))
		}
	}
}

func TestParametersOfAPathItemThatAreABodyBelongToEachOperation(t *testing.T) {
	doc, err := jsontree.Parse([]byte(`{"swagger":"2.0","parameters":{"B":{"name":"b","in":"body","schema":{"type":"string"}}},
"paths":{"/a":{"parameters":[{"$ref":"#/parameters/B"},{"name":"id","in":"query","type":"string"}],"post":{},"put":{"parameters":[{"name":"own","in":"body","schema":{}}]}}}}`))
	require.NoError(t, err)
	d := openapi.ConvertSwagger(doc.Root)
	assert.Equal(t, `[{"name":"id","in":"query","schema":{"type":"string"}}]`, string(d.Root.At("/paths/~1a/parameters").Emit()))
	assert.Equal(t, "/paths/~1a/parameters/1", d.Origin("/paths/~1a/parameters/0/schema"))
	assert.Equal(t, "/parameters/B/schema/type", d.Origin("/paths/~1a/post/requestBody/content/application~1json/schema/type"))
	assert.Equal(t, "/paths/~1a/put/parameters/0", d.Origin("/paths/~1a/put/requestBody"))
	assert.Nil(t, d.Root.At("/components/parameters/B"))
}

func FuzzConversionComesToAnEnd(f *testing.F) {
	f.Add(`{"swagger":"2.0","parameters":{"A":{"$ref":"#/parameters/A"}},"responses":{"R":{"$ref":"#/responses/R"}},"paths":{"/a":{"$ref":"#/paths/~1a","post":{"parameters":[{"$ref":"#/parameters/A"},5],"responses":{"200":{"$ref":"#/responses/R"}}}}}}`)
	f.Add(`{"paths":{"/a":{"parameters":5,"get":{"parameters":{"a":{}},"responses":[],"consumes":"x"}},"/b":[]},"host":{},"schemes":{},"definitions":5,"securityDefinitions":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsontree.Parse([]byte(text))
		if err != nil || doc.Root.Kind != jsontree.Object {
			return
		}
		d := openapi.ConvertSwagger(doc.Root)
		assert.False(t, strings.Contains(d.Origin("/paths"), " "))
	})
}
