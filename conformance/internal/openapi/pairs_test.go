package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestTheCornersOfABoxAndTheEndsOfATimeHaveAnOrderThatNoSchemaStates(t *testing.T) {
	op := withPets(t, `{"type":"object","properties":{"bbox":{"type":"array","items":{"type":"number"}},"sizes":{"type":"array","items":{"type":"number"}},`+
		`"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}}}`)
	for body, want := range map[string]openapi.Kind{
		`{"bbox":[1,2,3,4]}`:     openapi.MustAccept,
		`{"bbox":[5,2,3,4]}`:     openapi.MayRefuse,
		`{"bbox":[1,2,9,3,4,5]}`: openapi.MayRefuse,
		`{"bbox":[5,2,3]}`:       openapi.MustAccept,
		`{"sizes":[5,2,3,4]}`:    openapi.MustAccept,
		`{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T01:00:00Z"}`: openapi.MustAccept,
		`{"from":"2026-01-01t02:00:00z","to":"2026-01-01T01:00:00Z"}`: openapi.MayRefuse,
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

func TestASentenceSaysWhichOfTwoMembersComesFirst(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/bills: {post: {
  description: "The bill is open. `+"`paid_on`"+` must be after `+"`sent_on`"+`.",
  requestBody: {content: {application/json: {schema: {type: object, properties: {
    day: {type: string, format: date}, due: {type: string, format: date, description: "Must not lie before `+"`day`"+` (422)."},
    reminded: {type: string, format: date, description: Some time after the customer was told of due.},
    sent_on: {type: string, format: date}, paid_on: {type: string, format: date},
    least: {type: integer}, most: {type: integer, description: At least least.}, name: {type: string}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	op := c.Operations[0]
	var got []string
	for _, p := range op.Body.Shape.Pairs(op.Body.Shape.Schema) {
		got = append(got, p.Low.Name+" "+p.High.Name)
		assert.True(t, p.Told)
	}
	told := op.Body.Shape.Read([]byte(`{"day":"2031-01-02","due":"2031-01-01"}`))
	assert.Equal(t, openapi.MustAccept, told.Kind, "the order is kept in requests, and excuses no refusal")
	assert.ElementsMatch(t, []string{"day due", "sent_on paid_on", "least most"}, got)
}
