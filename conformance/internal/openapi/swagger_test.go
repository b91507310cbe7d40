package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

const pets = `swagger: '2.0'
info: {title: Pets, version: '1'}
host: pets.example
basePath: /v1
schemes: [https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  key: {type: apiKey, in: header, name: X-Key}
  plain: {type: basic}
parameters:
  Limit: {name: limit, in: query, type: integer, maximum: 50}
  Pet: {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
responses:
  Wrong: {description: wrong, schema: {$ref: '#/definitions/Error'}}
definitions:
  Pet:
    type: object
    required: [name]
    discriminator: kind
    properties:
      name: {type: string, maxLength: 20, x-nullable: true}
      kind: {type: string}
  Error: {type: object, properties: {code: {type: integer, exclusiveMinimum: true, minimum: 0}}}
paths:
  /pets:
    parameters:
      - {name: X-Trace, in: header, type: string}
    post:
      security: [{key: []}]
      parameters:
        - $ref: '#/parameters/Limit'
        - $ref: '#/parameters/Pet'
        - {name: tags, in: query, type: array, items: {type: string, maxLength: 5}, collectionFormat: multi}
      responses:
        '200': {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}
        default: {$ref: '#/responses/Wrong'}
  /files/{id}:
    post:
      consumes: [multipart/form-data]
      security: [{plain: []}]
      parameters:
        - {name: id, in: path, required: true, type: string}
        - {name: picture, in: formData, type: file, required: true}
        - {name: note, in: formData, type: string, maxLength: 7}
      responses: {'204': {description: ok}}
    get:
      produces: []
      parameters:
        - {name: id, in: path, required: true, type: array, items: {type: string}, collectionFormat: tsv}
      responses: {'200': {description: ok, schema: {type: object}}}
`

func TestADocumentOfSwagger2IsReadAsOneOfOpenAPI3(t *testing.T) {
	c, err := openapi.Load("pets.yaml", []byte(pets))
	require.NoError(t, err)
	assert.Equal(t, "2.0", c.OpenAPI)
	require.NotEmpty(t, c.Operations)
	op := c.Operations[0]
	assert.Equal(t, "X-Key", op.Security[0][0].Field)
	assert.Equal(t, "application/json", op.Body.Media)
	assert.True(t, op.Body.Required)
	name := op.Body.Shape.Schema.Property("name")
	assert.Equal(t, []string{"string", "null"}, name.Schema.Types)
	assert.Equal(t, 20, *name.Schema.MaxLength)
	var parameters []string
	for _, p := range op.Parameters {
		parameters = append(parameters, p.In+" "+p.Name+" "+p.Style)
	}
	assert.ElementsMatch(t, []string{"header X-Trace simple", "query limit form", "query tags form"}, parameters)
	assert.Equal(t, "array", op.Response(200).Media[0].Shape.Schema.Type())
	assert.Equal(t, "0", op.Response(500).Media[0].Shape.Schema.Property("code").Schema.Above)
}

// A clause of a converted document has to lead to the line that the author wrote.
func TestClausesOfSwagger2PointIntoTheDocumentAsItIs(t *testing.T) {
	c, err := openapi.Load("pets.yaml", []byte(pets))
	require.NoError(t, err)
	op := c.Operations[0]
	for pointer, want := range map[string]string{
		op.Pointer:                  "/paths/~1pets/post",
		op.Body.Pointer:             "/parameters/Pet",
		op.Pointer + "/requestBody": "/parameters/Pet",
		op.Body.Shape.Schema.Property("name").Schema.Source.Of("maxLength"): "/definitions/Pet/properties/name/maxLength",
		op.Body.Shape.Schema.Property("name").Need:                          "/definitions/Pet/required",
		op.Response(200).Pointer + "/content":                               "/paths/~1pets/post/responses/200",
		op.Response(200).Media[0].Shape.Schema.Source.Of("type"):            "/paths/~1pets/post/responses/200/schema/type",
		op.Response(500).Pointer:                                            "/responses/Wrong",
		op.Security[0][0].Pointer:                                           "/securityDefinitions/key",
	} {
		assert.Equal(t, want, c.Clause(pointer), pointer)
		assert.True(t, c.Resolves(c.Clause(pointer)), pointer)
	}
	for _, p := range op.Parameters {
		switch p.Name {
		case "limit":
			assert.Equal(t, "/parameters/Limit/maximum", c.Clause(p.Schema.Source.Of("maximum")))
		case "tags":
			assert.Equal(t, "/paths/~1pets/post/parameters/2", c.Clause(p.Pointer))
			assert.Equal(t, "/paths/~1pets/post/parameters/2/items/maxLength", c.Clause(p.Schema.Items.Source.Of("maxLength")))
		}
	}
	assert.Equal(t, "pets.yaml:24:10", c.Where("/components/schemas/Error"))
	assert.Contains(t, strings.Join(c.LeftOut, "\n"), "GET /files/{id}: /paths/~1files~1{id}/get/parameters/0: required path parameter id has style tsv")
}

func TestAFaultInSwagger2CostsItsOperationAndIsNamedAtItsOwnPlace(t *testing.T) {
	for old, change := range map[string][2]string{
		"maxLength: 20":         {"maxLength: -1", "POST /pets: /definitions/Pet/properties/name/maxLength: no JSON schema"},
		"'#/definitions/Pet'}}": {"'#/definitions/Dog'}}", "POST /pets: /parameters/Pet/schema/$ref: $ref \"#/definitions/Dog\" points at nothing"},
	} {
		c, err := openapi.Load("pets.yaml", []byte(strings.Replace(pets, old, change[0], 1)+"  /ok: {get: {responses: {'204': {description: ok}}}}\n"))
		require.NoError(t, err)
		assert.Contains(t, strings.Join(c.LeftOut, "\n"), change[1])
	}
	for text, want := range map[string]string{
		"swagger: '1.2'\n": `a.yaml:1:10: swagger is "1.2": this suite reads OpenAPI 3.0.x, 3.1.x and 3.2.x, and Swagger 2.0`,
		"swagger: 2.0\ninfo: {}\nhost: 5\npaths: []\n": "a.yaml:4:8: /paths: an array, but OpenAPI has an object",
		"swagger: '2.0'\npaths: {/a: 5, /b: {get: 5, post: {parameters: {}, responses: [5]}}}\nparameters: 7\ndefinitions: [5]\n": "can be tested: 2 operations, such as GET /b",
	} {
		_, err := openapi.Load("a.yaml", []byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

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
