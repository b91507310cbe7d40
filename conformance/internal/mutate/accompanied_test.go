package mutate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// contacts has a member that needs another one, which needs a third one.
const contacts = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/contacts: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object,
    dependentRequired: {phone: [country]},
    dependentSchemas: {country: {required: [city], properties: {city: {maxLength: 5}}}},
    properties: {phone: {type: string, pattern: '^\+[0-9]{6,15}$'}, country: {type: string, enum: [DE, JP]}, city: {type: string, minLength: 2}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestAMemberIsSentWithTheMembersThatItNeeds(t *testing.T) {
	c, err := openapi.Load("contacts.yaml", []byte(contacts))
	require.NoError(t, err)
	p := planOf(t, document{"contacts", c}, 1)
	broken := map[string]int{}
	for _, one := range p.Cases {
		place := one.Class.Place.Path
		if one.Class.Family != plan.FamilyInvalid || place != "/phone" && place != "/country" {
			continue
		}
		steps := p.Build(one, generate.Identity{Seed: 1})
		r := steps[len(steps)-1].Message.Reading()
		if r == nil || r.Kind != openapi.Invalid {
			continue // a text may still match the pattern
		}
		for _, key := range r.Violations {
			broken[key.Path+" "+key.Keyword]++
			assert.False(t, slices.Contains([]string{"dependentRequired", "required"}, key.Keyword), "%s: %s", one.ID, steps[0].Message.Tree)
		}
	}
	for _, keyword := range []string{"/phone pattern", "/country enum"} {
		assert.Positive(t, broken[keyword], broken)
	}
}
