package mutate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// TestEveryRandomTextOfAParameterCanBeSent: a field cannot hold every letter, and what is
// drawn differs with the seed.
func TestEveryRandomTextOfAParameterCanBeSent(t *testing.T) {
	c, err := openapi.Load("texts.yaml", []byte(`openapi: 3.2.0
info: {title: Texts, version: '1'}
paths:
  /a/{p}:
    get:
      parameters:
        - {name: X-A, in: header, required: true, schema: {type: string, minLength: 1}}
        - {name: b, in: cookie, style: cookie, schema: {type: string}}
        - {name: c, in: cookie, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
        - {name: p, in: path, required: true, schema: {type: string, minLength: 1}}
      responses: {'200': {description: ok}, 4XX: {description: bad}}
`))
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, smallDraws, plan.Effort{}, catalogue()...)
	e := endpoint(p)
	places := map[string]bool{}
	for _, c := range p.Cases {
		if c.Class.Mutator != "random-strings" {
			continue
		}
		places[c.Class.Place.Name] = true
		for seed := range uint64(50) {
			steps := p.Build(c, generate.Identity{Seed: seed})
			assert.NoError(t, e.Wire(steps[0].Message, c.ID).Err, c.ID)
		}
	}
	assert.Len(t, places, 5)
}
