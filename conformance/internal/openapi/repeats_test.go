package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestADuplicateKeyCostsTheOperationsThatNeedItsValue(t *testing.T) {
	for name, row := range map[string]struct {
		document, left string
	}{
		"of an operation": {`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    get:
      responses: {'200': {description: d}}
      responses: {'204': {description: d}}
`, `GET /b: /paths/~1b/get/responses: duplicate key "responses", first at 9:7: keep one`},
		"of a schema": {`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}
      responses: {'200': {description: d}}
components:
  schemas:
    B: {type: object}
    B: {type: string}
`, `POST /b: /components/schemas/B: duplicate key "B", first at 13:5: keep one`},
		"in Swagger 2.0": {`
swagger: '2.0'
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    get:
      responses: {'200': {description: d}}
      responses: {'204': {description: d}}
`, `GET /b: /paths/~1b/get/responses: duplicate key "responses", first at 9:7: keep one`},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := openapi.Load("d.yaml", []byte(row.document))
			require.NoError(t, err)
			require.Len(t, c.Operations, 1)
			assert.Equal(t, "/a", c.Operations[0].Path)
			assert.Contains(t, c.LeftOut, row.left)
		})
	}
}

func TestADuplicateKeyThatNothingNeedsIsNamed(t *testing.T) {
	c, err := openapi.Load("d.json", []byte(`{"openapi": "3.1.0", "info": {"title": "t", "title": "u", "version": "1"},
		"paths": {"/a": {"get": {"responses": {"200": {"description": "d"}}}}}}`))
	require.NoError(t, err)
	assert.Equal(t, "t", c.Title)
	assert.Contains(t, c.LeftOut, `/info/title: duplicate key "title": keep one (no operation was left out for it)`)
}

func TestAPathThatIsReferredToInVainIsNamed(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: {$ref: 'nowhere.yaml'}
`
	_, err := openapi.Load("d.yaml", []byte(document))
	assert.ErrorContains(t, err, `every operation of /a: d.yaml:5:7: /paths/~1a/$ref: $ref "nowhere.yaml" leaves the document`)
	c, err := openapi.Load("d.yaml", []byte(document+"  /b: {get: {responses: {'200': {description: d}}}}\n"))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	assert.Contains(t, c.LeftOut[0], "every operation of /a: ")
}
