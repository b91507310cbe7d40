package mutators_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

const rated = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [size], properties: {size: {type: integer, minimum: 1}, floor: {type: integer, minimum: -5, maximum: 120}, seats: {type: integer, minimum: 2}, rate: {type: number, minimum: 0}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// A parser that reads NaN as 0, or as what no bound compares with, shows it only where 0 may
// be.
func TestNaNIsSentForAnOptionalMemberThatMayBeZero(t *testing.T) {
	c, err := contract.Load("offers.yaml", []byte(rated))
	require.NoError(t, err)
	for _, effort := range []string{"gate", "full"} {
		e, err := plan.EffortFor(effort, 100, 0)
		require.NoError(t, err)
		p := fake.Plan(t, c, 1, defaultDraws, e, catalogue()...)
		var sent []string
		for _, one := range p.Cases {
			if one.Class.Kind == "not-a-number-inside" {
				steps := p.Build(one, generate.Identity{Seed: 1})
				sent = append(sent, string(steps[len(steps)-1].Message.Body()))
			}
		}
		require.NotEmpty(t, sent, effort)
		assert.Contains(t, sent[0], `"rate":NaN`, "%s: whole numbers come later", effort)
		assert.Equal(t, effort == "full", strings.Contains(strings.Join(sent, "\n"), `"floor":-Infinity`))
		assert.NotContains(t, strings.Join(sent, "\n"), `"seats":`)
		assert.NotRegexp(t, `"size":[NI-]`, strings.Join(sent, "\n"))
	}
}
