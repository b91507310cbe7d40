package mutate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// marks has an array of at most four items, one of which has to be 1.
const marks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/marks: {post: {
  requestBody: {required: true, content: {application/json: {schema:
    {type: array, items: {type: integer}, maxItems: 4, contains: {const: 1}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// A server that checks contains alone would refuse too many items without a 1.
func TestTooManyItemsHaveWhatContainsNeeds(t *testing.T) {
	c, err := openapi.Load("marks.yaml", []byte(marks))
	require.NoError(t, err)
	p := planOf(t, document{"marks", c}, 1)
	n := 0
	for _, one := range p.Cases {
		if one.Class.Kind != "too-many-items" || one.Class.Family != plan.FamilyInvalid {
			continue
		}
		n++
		steps := p.Build(one, generate.Identity{Seed: 1})
		r := steps[len(steps)-1].Message.Reading()
		require.Len(t, r.Violations, 1, "%s: %s", one.ID, steps[0].Message.Tree)
		assert.Equal(t, "maxItems", r.Violations[0].Keyword)
	}
	assert.Positive(t, n)
}
