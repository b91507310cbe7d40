package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestEveryVersionOfOpenAPI3IsReadHoweverItIsSpelled(t *testing.T) {
	const rest = "\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
	for spelled, version := range map[string]string{"3.0.0": "3.0.0", "'3.0'": "3.0", "3.0": "3.0", "3.0.4": "3.0.4", "3.1.0-rc0": "3.1.0-rc0",
		"3.1": "3.1", "3.1.2": "3.1.2", "3.2.0": "3.2.0", "'3.2'": "3.2"} {
		c, err := openapi.Load("a.yaml", []byte("openapi: "+spelled+rest))
		if assert.NoError(t, err, spelled) {
			assert.Equal(t, version, c.OpenAPI)
		}
	}
	for _, spelled := range []string{"3.3.0", "4.0.0", "2.0", "3", "[3.0]", "30.1", "null", "'3.0x'"} {
		_, err := openapi.Load("a.yaml", []byte("openapi: "+spelled+rest))
		assert.ErrorContains(t, err, "a.yaml:1:10: openapi is ", spelled)
	}
	_, err := openapi.Load("a.yaml", []byte("info: {}"+rest[strings.Index(rest, "\npaths"):]))
	assert.EqualError(t, err, "a.yaml:1:1: not an OpenAPI document: it has no member openapi: want 3.0.x, 3.1.x or 3.2.x, or swagger: 2.0")
}

func TestWhatOpenAPI32AddsIsReadOrNamed(t *testing.T) {
	text := `openapi: 3.2.0
info: {title: t, version: '1'}
paths:
  /a: {$ref: '#/components/pathItems/A'}
components:
  mediaTypes: {J: {schema: {type: object}}}
  pathItems:
    A:
      query: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}
      additionalOperations:
        COPY: {responses: {'200': {description: ok, content: {application/json: {$ref: '#/components/mediaTypes/J'}}}}}
        'NO METHOD': {responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {type: object}}}}}}
        LIST: {responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {type: object}}}}}}
webhooks: {new: {post: {responses: {'200': {description: ok}}}}}
`
	c, err := openapi.Load("a.yaml", []byte(text))
	require.NoError(t, err)
	var got []string
	for _, op := range c.Operations {
		got = append(got, op.Method+" "+op.Path+" "+op.Pointer)
	}
	assert.Equal(t, []string{"QUERY /a /components/pathItems/A/query", "COPY /a /components/pathItems/A/additionalOperations/COPY",
		"LIST /a /components/pathItems/A/additionalOperations/LIST"}, got)
	assert.Equal(t, "/components/mediaTypes/J", c.Operations[1].Responses[0].Media[0].Pointer)
	assert.NotNil(t, c.Operations[1].Responses[0].Media[0].Shape)
	out := strings.Join(c.LeftOut, "\n")
	assert.Contains(t, out, "NO METHOD /a: /components/pathItems/A/additionalOperations/NO METHOD: NO METHOD is not a method")
	assert.Contains(t, out, "LIST /a: of application/jsonl answers with status 200 that do not end, the head and what comes first are judged")
	assert.True(t, c.Operations[2].Responses[0].Media[0].Items)
	assert.Equal(t, "object", c.Operations[2].Responses[0].Media[0].Shape.Schema.Items.Type())
	assert.Contains(t, out, "webhook new is not tried")
	assert.NotContains(t, out, "not a member")

	old, err := openapi.Load("a.yaml", []byte(strings.Replace(text, "3.2.0", "3.1.0", 1)+"  # and before 3.2 these were no methods\n"))
	assert.ErrorContains(t, err, "it has none", old)
}
