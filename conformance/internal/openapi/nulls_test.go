package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// nullDocument has one schema in a request and in an answer.
func nullDocument(t *testing.T, version, schema string) *openapi.Contract {
	t.Helper()
	content := "content: {application/json: {schema: {type: object, properties: {a: " + schema + "}}}}"
	c, err := openapi.Load("a.yaml", []byte(fmt.Sprintf(`openapi: %s
info: {title: t, version: '1'}
components: {schemas: {O: {type: object}}}
paths: {/a: {post: {requestBody: {%s}, responses: {'200': {description: ok, %s}}}}}
`, version, content, content)))
	require.NoError(t, err)
	return c
}

// Readers of OpenAPI 3.0 disagree about these: no server may fail for either answer.
func TestANullThatNullableLeavesOpenIsNeitherOwedNorForbidden(t *testing.T) {
	for _, schema := range []string{
		"{type: string, nullable: true, enum: [x, y]}", "{nullable: true, allOf: [{$ref: '#/components/schemas/O'}]}",
		"{nullable: true, $ref: '#/components/schemas/O'}", "{nullable: true}", "{nullable: true, oneOf: [{type: string}, {type: object}]}",
	} {
		c := nullDocument(t, "3.0.3", schema)
		op := c.Operations[0]
		assert.Equal(t, openapi.MayRefuse, op.Body.Shape.Read([]byte(`{"a":null}`)).Kind, schema)
		assert.NotEqual(t, openapi.Invalid, op.Response(200).Media[0].Shape.Read([]byte(`{"a":null}`)).Kind, schema)
		assert.Equal(t, 1, strings.Count(strings.Join(c.LeftOut, "\n"), "null is neither required nor forbidden"), schema)
	}
	op := nullDocument(t, "3.0.3", "{type: string, nullable: true, enum: [x, y]}").Operations[0]
	assert.Equal(t, openapi.Invalid, op.Body.Shape.Read([]byte(`{"a":"z"}`)).Kind, "another value is still none of the list")
}

// A customer, or what is left of one that was deleted: the keyword around them is violated, and
// does not tell that a null in one of them is why.
func TestANullThatIsLeftOpenIsSoInAnAlternativeToo(t *testing.T) {
	for _, inner := range []string{
		"{nullable: true, allOf: [{$ref: '#/components/schemas/O'}]}", "{type: string, nullable: true, enum: [x, y]}",
		"{nullable: true, allOf: [{type: object, required: [b, c], properties: {b: {type: array, minItems: 1, items: {type: integer}}, c: {type: string, minLength: 2}}}]}",
	} {
		one := "{type: object, required: [x, id], properties: {id: {type: string}, x: " + inner + "}}"
		for _, keyword := range []string{"anyOf", "oneOf"} {
			c := nullDocument(t, "3.0.3", "{"+keyword+": ["+one+", {type: object, required: [deleted], properties: {deleted: {type: boolean}}}]}")
			answer := c.Operations[0].Response(200).Media[0].Shape
			assert.NotEqual(t, openapi.Invalid, answer.Read([]byte(`{"a":{"id":"7","x":null}}`)).Kind, keyword+inner)
			assert.Equal(t, openapi.Invalid, answer.Read([]byte(`{"a":{"id":7,"x":null}}`)).Kind, keyword+inner)
			assert.Equal(t, openapi.Invalid, answer.Read([]byte(`{"a":{"id":null,"x":null}}`)).Kind, keyword+inner)
		}
	}
}

func TestANullThatTheDocumentSettlesIsSettled(t *testing.T) {
	for schema, kind := range map[string]openapi.Kind{
		"{type: string, nullable: true}":                  openapi.MustAccept,
		"{type: string, nullable: true, enum: [x, null]}": openapi.MustAccept,
		"{type: string, nullable: false, enum: [x]}":      openapi.Invalid,
		"{type: string}": openapi.Invalid,
		"{type: object, properties: {b: {nullable: true}}}": openapi.Invalid,
	} {
		c := nullDocument(t, "3.0.3", schema)
		assert.Equal(t, kind, c.Operations[0].Body.Shape.Read([]byte(`{"a":null}`)).Kind, schema)
	}
	c := nullDocument(t, "3.1.0", "{type: string, nullable: true, enum: [x]}")
	assert.Equal(t, openapi.Invalid, c.Operations[0].Body.Shape.Read([]byte(`{"a":null}`)).Kind, "OpenAPI 3.1 has no nullable")
}
