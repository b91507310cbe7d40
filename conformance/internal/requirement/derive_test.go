package requirement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/spec"
)

func TestEveryKeywordOfThePlantStoreGivesOneRequirement(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"post-plants-answered", "post-plants-framing",
		"bearer-required", "bearer-scheme", "bearer-token", "bearer-refusal",
		"bearer-scheme-case", "bearer-scheme-blanks", "bearer-challenge",
		"post-plants-valid-accepted", "post-plants-undocumented-rule", "post-plants-body-required", "post-plants-body-json",
		"newplant-object",
		"newplant-name-required", "newplant-name-accepted", "newplant-name-string",
		"newplant-tag-optional", "newplant-tag-accepted", "newplant-tag-string",
		"newplant-id-required", "newplant-id-accepted", "newplant-id-integer", "newplant-id-int64",
		"post-plants-200-status", "post-plants-200-media-type", "post-plants-200-json",
		"plant-object", "plant-name-required", "plant-name-string", "plant-tag-string",
		"post-plants-400-status", "post-plants-belongs", "post-plants-400-media-type", "post-plants-400-json",
		"error-object", "error-error-required", "error-error-integer", "error-error-int32",
		"error-message-required", "error-message-string",
		"json-unique-names", "http-strict-framing",
	}, requirement.Derive(c).IDs())
}

func TestEveryClauseOfADerivedRowResolves(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	for _, r := range requirement.Derive(c).List {
		assert.NotEmpty(t, r.Clause.String(), r.ID)
		if r.Clause.Pointer != "" {
			assert.True(t, c.Resolves(r.Clause.Pointer), "%s: %s", r.ID, r.Clause.Pointer)
		}
	}
}
