package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// A trip begins with the departure, a stay with the arrival.
func TestOfArrivalAndDepartureTheFirstInTheDocumentComesFirst(t *testing.T) {
	date := `{"type":"string","format":"date"}`
	for schema, low := range map[string]string{`"arrival":` + date + `,"departure":` + date: "arrival", `"departureDate":` + date + `,"arrivalDate":` + date: "departureDate"} {
		op := withPets(t, `{"type":"object","properties":{`+schema+`}}`)
		pairs := op.Body.Shape.Pairs(op.Body.Shape.Schema)
		require.Len(t, pairs, 1)
		assert.Equal(t, low, pairs[0].Low.Name)
	}
}
