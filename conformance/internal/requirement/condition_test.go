package requirement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
)

func TestASentenceNamesTheConditionAndThePatternThatItIsAbout(t *testing.T) {
	c, err := openapi.Load("offers.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [kind],
    properties: {kind: {enum: [flat, percent]}, amount: {type: number}, m: {type: object, patternProperties: {"^n_": {type: integer}, "^s_": {type: string}}}},
    if: {properties: {kind: {const: percent}}, required: [kind]},
    then: {properties: {amount: {maximum: 100}}}, else: {properties: {amount: {maximum: 9999}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`))
	require.NoError(t, err)
	sentences := map[string]bool{}
	for _, r := range requirement.Derive(c).List {
		sentences[r.Sentence] = true
	}
	for _, want := range []string{
		"/amount is at most its maximum where /kind is percent. A request that violates this is refused.",
		"/amount is at most its maximum where /kind is not percent. A request that violates this is refused.",
		"/m/{^n_} is an integer. A request that violates this is refused.",
		"/m/{^s_} is a string. A request that violates this is refused.",
	} {
		assert.True(t, sentences[want], want)
	}
}

func TestTheRequirementAboutWholeRequestsTakesWhatNoOtherIsAbout(t *testing.T) {
	c, err := openapi.Load("maps.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/maps: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [m, n],
    properties: {n: {type: integer}, m: {type: object, patternProperties: {"^s_": {type: [string, "null"]}}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`))
	require.NoError(t, err)
	r := requirement.Derive(c).Find("post-maps-valid-accepted")
	require.NotNil(t, r)
	assert.Equal(t, map[string]bool{"/n": true}, r.Args.Others)
}
