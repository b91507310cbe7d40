package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
)

func TestASentenceWithAStatusIsARuleForTheMembersThatItNames(t *testing.T) {
	body := `requestBody: {content: {application/json: {schema: {type: object, properties: {parcels: {type: array, items: {type: object, properties: {weight: {type: integer}}}}, insured: {type: boolean}}}}}}, responses: {"200": {description: d}, "422": {description: d}}`
	c, err := contract.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /t: {post: {description: "All parcels together weigh at most 100 kg, and `+"`insured`"+` needs a value (`+"`422`"+`).", `+body+`}},
  "/t/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], put: {description: Replaces it., `+body+`}},
  /u: {post: {description: "Uses insured.", `+body+`}}}}`))
	require.NoError(t, err)
	post, put, other := c.Find("post-t"), c.Find("put-t-id"), c.Find("post-u")
	for _, op := range []*contract.Operation{post, put} {
		assert.True(t, op.StatesOf(422, "/insured"), op.Slug)
		assert.True(t, op.StatesOf(422, "/parcels"), op.Slug)
		assert.False(t, op.StatesOf(422, "/parcels/*/weight"), "no word of it")
		assert.False(t, op.StatesOf(400, "/insured"), "of another status")
	}
	assert.False(t, other.StatesOf(422, "/insured"), "no status is named")
}
