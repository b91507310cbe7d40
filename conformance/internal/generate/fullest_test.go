package generate_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

func TestTheFullestRequestHasWhatStoresChangeAndIsValid(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {operationId: add,
  requestBody: {content: {application/json: {schema: {type: object, required: [name], additionalProperties: false, properties: {
    name: {type: string, maxLength: 60}, short: {type: string, maxLength: 12}, code: {type: string, pattern: '^[A-Z]{2}$'},
    far: {type: integer, format: int64}, near: {type: integer, format: int64, maximum: 99}, plain: {type: integer}, on: {type: boolean},
    labels: {type: object, additionalProperties: {type: string}}, one: {type: object, maxProperties: 1, additionalProperties: {type: string}}, any: {type: object}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	m := generate.New(c.Find("add"), 1, generate.Identity{}, 1).Fullest(c.Find("add"))
	require.Equal(t, openapi.MustAccept, m.Reading().Kind)
	at := func(path string) *jsontree.Value {
		v := m.Tree.At(path)
		require.NotNil(t, v, path)
		return v
	}
	upper, high := 0, 0
	for _, r := range at("/name").Text {
		if unicode.IsUpper(r) {
			upper++
		}
		if r > 0xffff {
			high++
		}
	}
	assert.Positive(t, upper)
	assert.Positive(t, high)
	assert.LessOrEqual(t, len([]rune(at("/short").Text)), 12)
	assert.Regexp(t, `^[A-Z]{2}$`, at("/code").Text)
	assert.Regexp(t, `^90071\d{10}[13579]$`, at("/far").Text)
	assert.Less(t, len(at("/near").Text), 3)
	assert.Less(t, len(at("/plain").Text), 11)
	assert.Equal(t, jsontree.NewBool(true), at("/on"))
	assert.Len(t, at("/labels").Members, 2)
	assert.Len(t, at("/one").Members, 1)
	assert.Empty(t, at("/any").Members)
}
