package mutate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// ofPattern is a document with a member whose texts have a pattern.
func ofPattern(text string) string {
	return `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/flags: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [enabled], properties: {enabled: {type: boolean}, weight: {type: integer}, rules: {type: array, maxItems: 3, uniqueItems: true, items:
    {type: object, required: [attribute, values], properties: {attribute: {type: string, pattern: "` + text + `", maxLength: 40},
      values: {type: array, minItems: 1, maxItems: 5, uniqueItems: true, items: {type: string, maxLength: 30}}}}}}}}}},
  responses: {"200": {description: done}, "400": {description: refused}}}}}}`
}

// broken are the keywords that classes of few values break, by member.
func broken(t *testing.T, document string) (map[string]bool, *plan.Plan) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	e, err := plan.EffortFor("gate", 1, 1)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 1, e, mutate.List()...)
	out := map[string]bool{}
	for _, k := range p.Cases {
		if k.Class.Expected == plan.ExpectInvalid {
			out[k.Class.Subject] = true
		}
	}
	return out, p
}

func TestAMemberWithAPatternOfNestedRepetitionsLeavesThePlanWhole(t *testing.T) {
	t.Parallel()
	plain, _ := broken(t, ofPattern("^[A-Za-z_]+$"))
	nested, p := broken(t, ofPattern("^[A-Za-z_]+(-[A-Za-z_]+)*$"))
	assert.Empty(t, p.LeftOut)
	assert.Greater(t, len(plain), 10)
	assert.Equal(t, plain, nested)
}
