package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
