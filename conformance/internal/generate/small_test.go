package generate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

// A year has the bounds of one alternative, and which number of two is meant nobody knows.
func TestSmallNumbersKeepTheBoundsOfTheOnlyAlternativeWithNumbers(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/teams: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [founded, size, seats, other], properties: {
		founded: {anyOf: [{type: integer, minimum: 1850, maximum: 2100}, {type: "null"}]}, size: {oneOf: [{type: integer, minimum: 3}, {type: number, maximum: 2}]}, seats: {type: integer, minimum: 5}, other: {type: string}}}}}}, responses: {"201": {description: d}}}}}}`)
	op := d.Contract.Find("post-teams")
	id := generate.Identity{Seed: 1, Small: new(generate.Operations)}
	id.Small.Set(op, true)
	for n := range 20 {
		m := d.Plan.Preflight(op, id.Later(n), 0).Baseline()
		assert.Equal(t, openapi.MustAccept, m.Reading().Kind, "%s", m.Tree)
	}
}
