package message

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// A text that servers may read as a valid value is no violation, whatever another
// reading of it is. What is wrong elsewhere stays wrong.
func TestAViolationCountsOnlyWhereEveryServerReadsTheSame(t *testing.T) {
	c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    get:
      parameters:
        - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 10}}
        - {name: limits, in: query, schema: {type: integer}}
        - {name: mix, in: query, schema: {type: [integer, string], maximum: 10}}
        - {name: sort, in: query, explode: false, schema: {type: array, items: {enum: [a, b]}}}
      responses:
        '200': {description: ok}
`))
	require.NoError(t, err)
	for query, want := range map[string]openapi.Kind{
		"limit=5": openapi.MustAccept, "limit=99": openapi.Invalid, "limit=abc": openapi.Invalid, "": openapi.Invalid,
		"limit=": openapi.MayRefuse, "limit=99&limit=5": openapi.MayRefuse, "limit=%2B99": openapi.MayRefuse, "limit=5&mix=50": openapi.MayRefuse, "limit=5&sort=a%2Cb": openapi.MayRefuse,
		"limits=%2B5": openapi.Invalid, "limit=%2B5&limits=x": openapi.Invalid, "limit=99&mix=50": openapi.Invalid,
	} {
		r, _ := readInputs(c.Operations[0], nil, serialize.Encoded{Path: "/t", Query: query}, nil, "")
		assert.Equal(t, want.String(), r.Kind.String(), "%s: %v %v", query, r.Violations, r.Reasons)
	}
}
