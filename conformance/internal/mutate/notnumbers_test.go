package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const rated = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [size], properties: {size: {type: integer, minimum: 1}, floor: {type: integer, minimum: -5, maximum: 120}, seats: {type: integer, minimum: 2}, rate: {type: number, minimum: 0}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// A parser that reads NaN as 0, or as what no bound compares with, shows it only where 0 may
// be.
func TestNaNIsSentForAnOptionalMemberThatMayBeZero(t *testing.T) {
	for _, effort := range []string{"gate", "full"} {
		var sent []string
		for one, m := range lastOf(t, rated, effort, 100) {
			if one.Class.Kind == "not-a-number-inside" {
				sent = append(sent, string(m.Body()))
			}
		}
		require.NotEmpty(t, sent, effort)
		assert.Contains(t, sent[0], `"rate":NaN`, "%s: whole numbers come later", effort)
		assert.Equal(t, effort == "full", strings.Contains(strings.Join(sent, "\n"), `"floor":-Infinity`))
		assert.NotContains(t, strings.Join(sent, "\n"), `"seats":`)
		assert.NotRegexp(t, `"size":[NI-]`, strings.Join(sent, "\n"))
	}
}
