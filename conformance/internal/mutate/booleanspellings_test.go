package mutate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

const switches = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /lamps: {get: {parameters: [{name: lit, in: query, schema: {type: boolean}}, {name: X-Dim, in: header, schema: {type: boolean}}],
    responses: {"200": {description: d}, "400": {description: d}}}},
  /forms: {post: {requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {lit: {type: boolean}}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}}}`

// What a lenient reader takes for a boolean is taken or refused; what no reader takes is
// refused.
func TestBooleansAreSentInOtherSpellingsWhichMayBeRefused(t *testing.T) {
	c, err := openapi.Load("switches.yaml", []byte(switches))
	require.NoError(t, err)
	p := planOf(t, document{"switches", c}, 1)
	kinds := map[string]map[string]openapi.Kind{}
	for _, one := range p.Cases {
		if one.Class.Mutator != "boolean-spellings" {
			continue
		}
		steps := p.Build(one, generate.Identity{Seed: 1})
		m := steps[len(steps)-1].Message
		at := one.Class.Place.Path
		if kinds[at] == nil {
			kinds[at] = map[string]openapi.Kind{}
		}
		v := m.Tree.At(at)
		if m.Params != nil {
			v = m.Params.At("/" + at)
		}
		require.NotNil(t, v, one.ID)
		kinds[at][v.Text] = m.Reading().Kind
	}
	require.Len(t, kinds, 3)
	for at, of := range kinds {
		for _, text := range []string{"0", "1", "TRUE", "True", "yes", "on", "t"} {
			assert.Equal(t, openapi.MayRefuse, of[text], "%s %s", at, text)
			assert.Contains(t, of, text, at)
		}
		for _, text := range []string{"2", "tru", "truex"} {
			assert.Equal(t, openapi.Invalid, of[text], "%s %s", at, text)
		}
	}
}
