package openapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// windows is a document with things that begin and end. The body of PATCH has the end alone,
// that of the second PATCH both.
const windows = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Bounds: {type: object, properties: {min: {type: integer, minimum: 0, maximum: 50}, max: {type: integer, minimum: 10, maximum: 90}}},
  Thing: {type: object, properties: {start: {type: string, format: date}, end: {type: [string, 'null'], format: date}, note: {type: string}, bounds: {$ref: "#/components/schemas/Bounds"}, list: {type: array, items: {$ref: "#/components/schemas/Bounds"}}}}}}, paths: {
  /things: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"201": {description: d}}}},
  "/things/{id}": {parameters: [&id {name: id, in: path, required: true, schema: {type: string}}],
    patch: {requestBody: {content: {application/json: {schema: {type: object, properties: {end: {type: [string, 'null'], format: date}, note: {type: string}}}}}}, responses: {"200": {description: d}}},
    put: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"200": {description: d}}}},
  "/kept/{id}": {parameters: [*id],
    put: {requestBody: {content: {application/json: {schema: {type: object, required: [note], properties: {start: {type: string, format: date}, end: {type: string, format: date}, note: {type: string}}}}}}, responses: {"200": {description: d}}}},
  "/others/{id}": {parameters: [*id],
    patch: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"200": {description: d}}}},
  "/read/{id}": {parameters: [*id],
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}},
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {start: {type: string, format: date}}}}}}, responses: {"200": {description: d}}}}}}`

func TestOneMemberOfAPairMayDisagreeWithTheStoredOne(t *testing.T) {
	c, err := Load("t", []byte(windows))
	require.NoError(t, err)
	for _, row := range []struct {
		op, body string
		want     Kind
	}{
		{"patch-things-id", `{"end":"2026-02-03"}`, MayRefuse}, {"patch-things-id", `{"end":null}`, MustAccept}, {"patch-things-id", `{"note":"a"}`, MustAccept},
		{"put-things-id", `{"end":"2026-02-03"}`, MayRefuse}, {"put-kept-id", `{"note":"a","end":"2026-02-03"}`, MustAccept}, {"post-things", `{"start":"2026-02-03"}`, MustAccept},
		{"patch-others-id", `{"start":"2026-02-03"}`, MayRefuse}, {"patch-others-id", `{"start":"2026-02-03","end":"2026-02-04"}`, MustAccept}, {"patch-others-id", `{"start":"2026-02-03","end":null}`, MustAccept},
		{"patch-others-id", `{"bounds":{"min":20}}`, MayRefuse}, {"patch-others-id", `{"bounds":{"min":10}}`, MustAccept}, {"patch-others-id", `{"bounds":{"max":50}}`, MustAccept}, {"patch-others-id", `{"bounds":{"max":49}}`, MayRefuse},
		{"patch-others-id", `{"list":[{"min":20}]}`, MustAccept}, {"post-read-id", `{"start":"2026-02-03"}`, MayRefuse},
	} {
		i := 0
		for c.Operations[i].Slug != row.op {
			i++
		}
		r := c.Operations[i].Body.Shape.Read([]byte(row.body))
		assert.Equal(t, row.want, r.Kind, "%s %s: %v", row.op, row.body, r.Reasons)
		assert.Equal(t, row.want == MayRefuse, r.Unpaired(), "%s %s", row.op, row.body)
	}
}

// hives is a document with an object inside of a thing, of which PATCH takes any part.
const hives = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Queen: {type: object, required: [colour, id], properties: {id: {type: integer, readOnly: true}, colour: {type: string}, year: {type: integer}}}}}, paths: {
  "/hives/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, queen: {$ref: "#/components/schemas/Queen"}}}}}}}},
    patch: {requestBody: {content: {application/merge-patch+json: {schema: {type: object, properties: {name: {type: string}, queen: {type: object, properties: {colour: {type: string}, year: {type: integer}}}}}}}}, responses: {"200": {description: d}}}}}}`

func TestAPartOfAnObjectThatMayNotBeThereYetMayBeRefused(t *testing.T) {
	c, err := Load("t", []byte(hives))
	require.NoError(t, err)
	shape := c.Find("patch-hives-id").Body.Shape
	for body, want := range map[string]Kind{
		`{"queen":{}}`: MayRefuse, `{"queen":{"year":2020}}`: MayRefuse, `{"queen":{"colour":"red"}}`: MustAccept, `{}`: MustAccept, `{"name":"a"}`: MustAccept,
	} {
		r := shape.Read([]byte(body))
		assert.Equal(t, want, r.Kind, "%s: %v", body, r.Reasons)
	}
}
