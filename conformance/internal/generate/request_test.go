package generate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

func TestAFullRequestLeavesOutOnlyTheOptionalMembersThatMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {operationId: add,
  requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer},
    ownerId: {type: string}, on: {type: boolean}, inner: {type: object, properties: {userId: {type: string}, note: {type: string}}}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	op := c.Find("add")
	m := generate.New(op, 1, generate.Identity{}, 1).Request(op, true)
	require.Equal(t, openapi.MustAccept, m.Reading().Kind)
	for path, given := range map[string]bool{"/name": true, "/size": true, "/on": true, "/inner": true, "/ownerId": false, "/inner/userId": false} {
		assert.Equal(t, given, m.At(path) != nil, path)
	}
}
