package resource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// replaceable is a document with a PUT of things.
const replaceable = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /things: {post: {operationId: add, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}, responses: {"201": {description: d}}}},
  "/things/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: read, responses: {"200": {description: d}}},
    put: {operationId: replace, SUMMARY, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/PUT"}}}}, responses: {"200": {description: d}}}}},
  components: {schemas: {
    New: {type: object, required: [name, secret], properties: {name: {type: string}, note: {type: string}, secret: {type: string, writeOnly: true}}},
    Changes: {type: object, properties: {name: {type: string}, note: {type: string}}},
    Some: {type: object, required: [note], properties: {name: {type: string}, note: {type: string}}},
    Whole: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}}},
    Kept: {type: object, required: [name], properties: {name: {type: string}, note: {type: string, description: "If it is not given, the old note remains."}}},
    Made: {type: object, required: [name], properties: {name: {type: string}, on: {type: boolean}, state: {enum: [a, b]}, size: {type: integer, default: 1}, ownerId: {type: string}, at: {type: string, readOnly: true}}}}}}`

func TestAPutHasTheWholeOfAThingIfItRequiresWhatMakesIt(t *testing.T) {
	for _, c := range []struct {
		schema, summary string
		whole           bool
	}{
		{"New", "summary: Replaces a thing.", true}, {"Whole", "summary: x", true}, {"Kept", "summary: x", true}, {"Changes", "summary: x", false}, {"Some", "summary: x", false}, {"Made", "summary: x", false},
		{"New", "summary: Updates the members that are given and leaves the others unchanged.", true}, {"New", "description: A partial update.", true}, {"New", "description: Omitted members keep their values.", true},
	} {
		d, err := openapi.Load("d.yaml", []byte(strings.NewReplacer("SUMMARY", c.summary, "schemas/PUT", "schemas/"+c.schema).Replace(replaceable)))
		require.NoError(t, err)
		assert.Equal(t, c.whole, resource.All(d.Operations)[0].ReplacesWhole(), "%s, %s", c.schema, c.summary)
	}
}
