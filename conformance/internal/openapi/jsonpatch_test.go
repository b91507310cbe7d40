package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestAJSONPatchMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {patch: {requestBody: {content: {application/json-patch+json: {schema: {type: array,
  items: {type: object, required: [op, path], properties: {op: {enum: [add, remove]}, path: {type: string}, value: {}}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	shape := c.Operations[0].Body.Shape
	assert.Equal(t, openapi.MayRefuse, shape.Read([]byte(`[{"op":"add","path":"/a","value":1}]`)).Kind, "the place may not be there")
	assert.Equal(t, openapi.Invalid, shape.Read([]byte(`[{"op":"add"}]`)).Kind)
}
