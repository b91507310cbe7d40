package generate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

func TestARichRequestHasMoreToLoseAndIsValid(t *testing.T) {
	for name, schema := range map[string]string{
		"plain":       `PLAIN`,
		"alternative": `{oneOf: [PLAIN, {type: string}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			const plain = `{type: object, required: [name], additionalProperties: false, properties: {
  name: {type: string, maxLength: 60}, short: {type: string, maxLength: 12}, code: {type: string, pattern: '^[A-Z]{2}$'},
  kind: {type: string, enum: [a, b, c]}, on: {type: boolean}, price: {type: number, multipleOf: 0.01}, due: {type: string, format: date-time},
  tags: {type: array, maxItems: 8, items: {type: string}}, one: {type: array, maxItems: 1, items: {type: string}},
  inner: {type: object, required: [a], properties: {a: {type: string}, b: {type: integer}}},
  made: {type: string, readOnly: true}, odd: {type: object, not: {required: [b]}, properties: {a: {type: string}, b: {type: string}}}}}`
			c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {operationId: add,
  requestBody: {content: {application/json: {schema: `+strings.ReplaceAll(schema, "PLAIN", plain)+`}}}, responses: {"201": {description: d}}}}}}`))
			require.NoError(t, err)
			op := c.Find("add")
			m := generate.New(op, 1, generate.Identity{}, 1).Rich(op)
			require.Equal(t, openapi.MustAccept, m.Reading().Kind)
			body := m.Tree
			text := func(path string) string {
				v := body.At(path)
				require.NotNil(t, v, path)
				return v.Text
			}
			assert.Regexp(t, `^\w+ & \w+ \w+ \w+$`, text("/name"))
			assert.Len(t, text("/short"), 12)
			assert.Regexp(t, `^[A-Z]{2}$`, text("/code"))
			assert.Equal(t, "c", text("/kind"))
			assert.Regexp(t, `\.37$`, text("/price"))
			assert.Regexp(t, `\+05:30$`, text("/due"))
			assert.Equal(t, jsontree.NewBool(false), body.At("/on"))
			assert.Len(t, body.At("/tags").Items, 2)
			assert.Len(t, body.At("/one").Items, 1)
			assert.NotNil(t, body.At("/inner/b"))
			assert.Nil(t, body.At("/made"), "readOnly")
			assert.Nil(t, body.At("/odd"), "it would break the schema")
		})
	}
}
