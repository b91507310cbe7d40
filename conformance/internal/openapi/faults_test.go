package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

func TestAPathIsThatOfAMemberIfItIsListed(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, paths: {"/a/{id}": {
  parameters: [{name: limit, in: query, schema: {type: integer}}, {name: a/b, in: query, schema: {type: object, properties: {c: {}}}}],
  post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {}, a~b: {}, in: {type: object, properties: {side: {}}}}}}}}, responses: {"200": {description: d}}},
  get: {responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	paths := []string{"", "/", "name", "/name", "/a~0b", "/a~b", "/in", "/in/side", "/nowhere", "path/id", "query/limit", "query/a~1b", "query/a/b", "query/a~1b/c",
		"query/", "query", "header/limit", "path/limit", "body/name"}
	require.Len(t, c.Operations, 2)
	for _, op := range c.Operations {
		known := map[string]bool{}
		for _, m := range op.Members() {
			known[m.Path] = true
		}
		require.NotEmpty(t, known)
		for _, path := range paths {
			assert.Equal(t, known[path], op.HasMember(path), "%s %s", op.Method, path)
		}
	}
}

func TestABodyTellsARefusalOnlyWhereTheDocumentHasNoStatusForIt(t *testing.T) {
	for responses, tells := range map[string]bool{
		`{"200": {description: d}}`:                            true,
		`{"200": {description: d}, "400": {description: d}}`:   false,
		`{"200": {description: d}, default: {description: d}}`: false,
	} {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: `+responses+`}}}}`))
		require.NoError(t, err)
		for body, refuses := range map[string]bool{
			`{"rc":"000"}`: false, `{"rc":"101","msg":"no such line"}`: true, `{"rc":0}`: false, `{"errno":-3}`: true, `{"resultCode":200}`: false,
			`{"success":true}`: false, `{"success":false}`: true, `{"error":true}`: true, `{"error":null}`: false, `{"error":false}`: false,
			`{"status":"error"}`: true, `{"status":"open"}`: false, `{"status":"OK"}`: false, `{"rc":"AB12"}`: false, `{"code":"101"}`: false, `[{"rc":"101"}]`: false, `7`: false,
		} {
			doc, err := jsontree.Parse([]byte(body))
			require.NoError(t, err)
			assert.Equal(t, tells && refuses, c.Operations[0].Tells(doc.Root), "%s %s", responses, body)
		}
	}
}
