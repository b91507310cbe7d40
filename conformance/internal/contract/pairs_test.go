package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
)

func TestTheCornersOfABoxAndTheEndsOfATimeHaveAnOrderThatNoSchemaStates(t *testing.T) {
	op := withPets(t, `{"type":"object","properties":{"bbox":{"type":"array","items":{"type":"number"}},"sizes":{"type":"array","items":{"type":"number"}},`+
		`"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}}}`)
	for body, want := range map[string]contract.Kind{
		`{"bbox":[1,2,3,4]}`:     contract.MustAccept,
		`{"bbox":[5,2,3,4]}`:     contract.MayRefuse,
		`{"bbox":[1,2,9,3,4,5]}`: contract.MayRefuse,
		`{"bbox":[5,2,3]}`:       contract.MustAccept,
		`{"sizes":[5,2,3,4]}`:    contract.MustAccept,
		`{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T01:00:00Z"}`: contract.MustAccept,
		`{"from":"2026-01-01t02:00:00z","to":"2026-01-01T01:00:00Z"}`: contract.MayRefuse,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}
