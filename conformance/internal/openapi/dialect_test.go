package openapi_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func reading(t *testing.T) *openapi.Shape {
	t.Helper()
	b, err := os.ReadFile("../../../testdata/openapi/readings.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("readings.yaml", b)
	require.NoError(t, err)
	return c.Operations[0].Body.Shape
}

// In OpenAPI 3.0 exclusiveMaximum is a flag beside maximum, nullable a flag
// beside type.
func TestTheFlagsOfOpenAPI30AreTheKeywordsTheyStandFor(t *testing.T) {
	s := reading(t).Schema
	value, note := s.Property("value").Schema, s.Property("note").Schema
	assert.Equal(t, "-273.15", value.Minimum)
	assert.Empty(t, value.Maximum)
	assert.Equal(t, "5000", value.Below)
	assert.False(t, value.Source.Has("maximum"))
	assert.True(t, value.Source.Has("exclusiveMaximum"))
	assert.Equal(t, []string{"string", "null"}, note.Types)
}

func TestAMustAcceptValueOutsideTheBaselineIsReportedUnderItsMember(t *testing.T) {
	for body, want := range map[string][]string{
		`{"sensor":"a1","value":7,"level":5,"calibrated":true}`:             nil,
		`{"sensor":"a1","value":7.5,"level":5,"calibrated":true}`:           {"/value"},
		`{"sensor":"a1","value":-5,"level":5,"calibrated":true}`:            {"/value"},
		`{"sensor":"a1","value":7,"level":2147483647,"calibrated":true}`:    {"/level"},
		`{"sensor":"a1","value":7,"level":5,"calibrated":false}`:            {"/calibrated"},
		`{"sensor":"a1","value":7,"level":5,"calibrated":true,"note":null}`: {"/note"},
		`{"sensor":"ä1","value":7,"level":5,"calibrated":true}`:             {"/sensor"},
	} {
		r := reading(t).Read([]byte(body))
		assert.Equal(t, openapi.MustAccept, r.Kind, body)
		assert.Equal(t, want, r.Unusual, body)
	}
}
