package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

func TestLongValuesAreAsLongAsTheyMayBeAndTheRequestIsValid(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /short: {post: {operationId: short, requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string, maxLength: 40}, b: {type: integer}, c: {type: array, maxItems: 2, items: {type: string}}, d: {type: string, format: date}}}}}}, responses: {"201": {description: d}}}},
  /text: {put: {operationId: text, requestBody: {content: {text/plain: {schema: {type: string, maxLength: 500}}}}, responses: {"204": {description: d}}}},
  /things: {post: {operationId: add,
  requestBody: {content: {application/json: {schema: {type: object, required: [name], additionalProperties: false, properties: {
    name: {type: string, maxLength: 60}, note: {type: string}, huge: {type: string, maxLength: 100000}, code: {type: string, pattern: '^[A-Z]{2}$'},
    tags: {type: array, uniqueItems: true, maxItems: 30, items: {type: string}}, rows: {type: array, maxItems: 1000, items: {type: object, required: [n], properties: {n: {type: integer}}}},
    kinds: {type: array, items: {type: string, enum: [a, b]}}, free: {type: array, items: {type: string}}, few: {type: array, uniqueItems: true, maxItems: 9, items: {type: boolean}},
    inner: {type: object, properties: {deep: {type: string, maxLength: 90}}}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	assert.Empty(t, plan.Longs(c.Find("short")))
	text := c.Find("text")
	require.Len(t, plan.Longs(text), 1)
	assert.Len(t, plan.NewGen(text, 1, plan.Identity{}, 1).Longest(text, plan.Longs(text)[0]).Tree.Text, 500)

	add := c.Find("add")
	require.Len(t, plan.Longs(add), 2)
	for i, want := range []map[string]int{
		{"/name": 60, "/huge": 2000, "/inner/deep": 90, "/tags": 30, "/rows": 200},
		{"/note": 300, "/free": 60},
	} {
		m := plan.NewGen(add, 1, plan.Identity{}, 1).Longest(add, plan.Longs(add)[i])
		require.Equal(t, schema.MayRefuse, m.Reading().Kind, "for their length")
		for path, n := range want {
			v := m.Tree.At(path)
			require.NotNil(t, v, path)
			assert.Equal(t, n, len(v.Text)+len(v.Items), path)
		}
		assert.Regexp(t, `^[A-Z]{2}$`, m.Tree.At("/code").Text)
		assert.LessOrEqual(t, len(m.Tree.At("/kinds").Items), 2)
		assert.Less(t, len(m.Body()), 12<<10)
		assert.Equal(t, i == 1, len(m.Tree.At("/note").Text) > 100)
	}
}

func TestLongValuesOfManyMembersAreNoLargeBody(t *testing.T) {
	members := ""
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		members += name + ": {type: string, maxLength: 5000}, "
	}
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {`+members+`}}}}}, responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	op := c.Find("add")
	m := plan.NewGen(op, 1, plan.Identity{}, 1).Longest(op, plan.Longs(op)[0])
	assert.Len(t, m.Tree.At("/a").Text, 2000)
	assert.Less(t, len(m.Tree.At("/j").Text), 100)
	assert.Less(t, len(m.Body()), 12<<10)
}
