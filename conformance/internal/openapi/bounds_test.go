package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestABoundOfAnIntegerIsTheIntegerHoweverTheDocumentSpellsIt(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {content: {application/json: {schema:
  {type: object, properties: {n: {type: integer, minimum: 1.0, maximum: 1.2e2}, d: {type: number, maximum: 0.50}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	s := c.Operations[0].Body.Shape.Schema
	n, d := s.Property("n").Schema, s.Property("d").Schema
	assert.Equal(t, []string{"1", "120", "0.50"}, []string{n.Minimum, n.Maximum, d.Maximum})
}
