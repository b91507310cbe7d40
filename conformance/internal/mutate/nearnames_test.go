package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

// labelled has an object that takes only members of a pattern.
const labelled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/talks: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
    labels: {type: object, additionalProperties: false, patternProperties: {'^x-[a-z]{1,12}$': {type: string}}}, note: {type: string, pattern: '^[^\r\n]+$'}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestNamesNearToAPatternAndLineFeedsInsideATextAreTried(t *testing.T) {
	c, err := openapi.Load("talks.yaml", []byte(labelled))
	require.NoError(t, err)
	p := planOf(t, document{"talks", c}, 1)
	near, feeds := 0, 0
	for _, one := range p.Cases {
		r := p.Build(one, generate.Identity{Seed: 1})[0].Message.Reading()
		if r == nil || r.Kind != openapi.Invalid {
			continue
		}
		if v := r.At("/labels"); v != nil && one.Class.Kind == "near-pattern-name" {
			last := v.Members[len(v.Members)-1]
			assert.Contains(t, strings.ToLower(last.Name), "x", one.ID)
			near++
		}
		if v := r.At("/note"); v != nil && strings.Contains(strings.Trim(v.Text, "\n"), "\n") {
			feeds++
		}
	}
	assert.GreaterOrEqual(t, near, 5)
	assert.Positive(t, feeds)
}
