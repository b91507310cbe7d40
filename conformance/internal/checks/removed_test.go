package checks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// labelled is a document of things with labels. It is written for the media type of a patch and
// the type of a label in it.
const labelled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /things: {post: {operationId: addThing, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
      labels: {type: object, maxProperties: 3, additionalProperties: {type: string, maxLength: 40}}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/things/{thingId}": {parameters: [{name: thingId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getThing, responses: {"200": {description: d, content: {application/json: {schema: {type: object}}}}}},
    patch: {operationId: patchThing, requestBody: {required: true, content: {%s: {schema: {type: object, properties: {
      labels: {type: object, additionalProperties: {type: %s, maxLength: 40}}}}}}}, responses: {"200": {description: d}}}}}}`

func TestAMergePatchTakesAMemberOutOfAnObject(t *testing.T) {
	t.Parallel()
	const id = "get-things-thingid/sequence/patched/removed/0"
	for _, row := range []struct {
		media, of string
		want      bool
	}{
		{"application/merge-patch+json", "[string, 'null']", true},
		{"application/merge-patch+json", "string", false}, // null is not allowed
		{"application/json", "[string, 'null']", false},   // and means nothing that all agree on
	} {
		p := plannedFor(t, fmt.Sprintf(labelled, row.media, row.of))
		if !row.want {
			assert.Nil(t, p.Find(id), row)
			continue
		}
		steps := built(t, p, id)
		assert.Equal(t, "addThing getThing patchThing getThing", story(steps))
		made, patch := steps[0].Message.At("/labels"), steps[2].Message.At("/labels")
		require.Len(t, made.Members, 1)
		require.Len(t, patch.Members, 1)
		assert.Equal(t, made.Members[0].Name, patch.Members[0].Name)
		assert.Equal(t, jsontree.Null, patch.Members[0].Value.Kind)
	}
}
