package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// severalMedia takes one schema in several media types, and another one in parts.
const severalMedia = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}
          application/xml: {schema: {$ref: '#/components/schemas/Pet'}}
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          text/json; charset=utf-8: {schema: {$ref: '#/components/schemas/Pet'}}
          application/*+json: {schema: {$ref: '#/components/schemas/Pet'}}
          multipart/form-data: {schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}}}}
          application/octet-stream: {schema: {$ref: '#/components/schemas/Nowhere'}}
      responses: {'201': {description: made}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, maxLength: 9}}}
`

func TestAnOperationHasACopyForEachFurtherMediaTypeThatCanBeWritten(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(severalMedia))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	op := c.Operations[0]
	assert.Equal(t, "application/json", op.Body.Media, "JSON comes first")
	assert.Equal(t, "post-pets", op.Slug)
	assert.False(t, op.IsFurther())
	type row struct {
		slug, name, pointer   string
		sameSchema, sameBytes bool
	}
	var got []row
	for _, f := range op.Further {
		assert.Same(t, op, f.First())
		assert.True(t, f.IsFurther())
		assert.True(t, f.Body.Required)
		got = append(got, row{f.Slug, f.Name(), f.Body.Pointer, f.SameSchema(), f.SameBytes()})
	}
	const at = "/paths/~1pets/post/requestBody/content/"
	assert.Equal(t, []row{
		{"post-pets-application-x-www-form-urlencoded", "createPet (application/x-www-form-urlencoded)", at + "application~1x-www-form-urlencoded", true, false},
		{"post-pets-text-json-charset-utf-8", "createPet (text/json; charset=utf-8)", at + "text~1json; charset=utf-8", true, true},
		{"post-pets-multipart-form-data", "createPet (multipart/form-data)", at + "multipart~1form-data", false, false},
	}, got)
	assert.Equal(t, append([]*openapi.Operation{op}, op.Further...), c.Rows())
	require.Len(t, c.LeftOut, 3)
	assert.Equal(t, "POST /pets: request media type application/xml is never sent", c.LeftOut[0])
	assert.Equal(t, "POST /pets: request media type application/*+json is never sent: it stands for several", c.LeftOut[1])
	assert.Contains(t, c.LeftOut[2], "POST /pets: request media type application/octet-stream is never sent: ")
}

func TestAMediaTypeIsDocumentedByItselfOrInARange(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(severalMedia))
	require.NoError(t, err)
	op := c.Operations[0]
	for _, media := range []string{"application/json; charset=utf-8", "Text/JSON", "application/xml", "application/vnd.example+json"} {
		assert.True(t, op.Documents(media), media)
	}
	for _, media := range []string{"text/plain", "application/jsonl", "json", "", "text/vnd.example+json"} {
		assert.False(t, op.Documents(media), media)
	}
}
