package request

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/parameter"
)

// A text that servers may read as a valid value is no violation, whatever another
// reading of it is. What is wrong elsewhere stays wrong.
func TestAViolationCountsOnlyWhereEveryServerReadsTheSame(t *testing.T) {
	c, err := contract.Load("a.yaml", []byte(`
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
	for query, want := range map[string]contract.Kind{
		"limit=5": contract.MustAccept, "limit=99": contract.Invalid, "limit=abc": contract.Invalid, "": contract.Invalid,
		"limit=": contract.MayRefuse, "limit=99&limit=5": contract.MayRefuse, "limit=%2B99": contract.MayRefuse, "limit=5&mix=50": contract.MayRefuse, "limit=5&sort=a%2Cb": contract.MayRefuse,
		"limits=%2B5": contract.Invalid, "limit=%2B5&limits=x": contract.Invalid, "limit=99&mix=50": contract.Invalid,
	} {
		r, _ := readInputs(c.Operations[0], nil, parameter.Encoded{Path: "/t", Query: query}, nil, "")
		assert.Equal(t, want.String(), r.Kind.String(), "%s: %v %v", query, r.Violations, r.Reasons)
	}
}
