package openapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASchemaLeavesAMemberToTheServerOnlyIfItIsOpenAndDoesNotNameIt(t *testing.T) {
	for schema, want := range map[string]bool{
		`{}`: true, `{type: object, properties: {b: {}}}`: true, `{type: object, properties: {a: {}}}`: true, `{properties: {a: {properties: {b: {writeOnly: true}}}}}`: false,
		`{additionalProperties: false}`: false, `{properties: {a: {additionalProperties: false}}}`: false, `{additionalProperties: {type: string}}`: false,
		`{oneOf: [{properties: {c: {}}}, {properties: {a: {properties: {b: {}}}}}]}`: false, `{oneOf: [{properties: {c: {}}}, {properties: {d: {}}}]}`: true,
	} {
		c, err := Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, content: {application/json: {schema: `+schema+`}}}}}}}}`))
		require.NoError(t, err, schema)
		assert.Equal(t, want, c.Operations[0].Responses[0].Media[0].Shape.Schema.Leaves("/a/b"), schema)
	}
	assert.True(t, (*Schema)(nil).Leaves("/a"))
}
