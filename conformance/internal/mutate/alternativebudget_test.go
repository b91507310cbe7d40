package mutate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// kinded is a document with three alternatives of a body, each with integers of its own.
func kinded() string {
	var alternatives []string
	for _, kind := range []string{"a", "b", "c"} {
		members, names := "", "kind"
		for n := range 16 {
			members += fmt.Sprintf(", %s%d: {type: integer, minimum: 1, maximum: 900, multipleOf: 3}", kind, n)
			names += fmt.Sprintf(", %s%d", kind, n)
		}
		alternatives = append(alternatives, fmt.Sprintf(`{type: object, additionalProperties: false, required: [%s], properties: {kind: {const: %s}%s}}`, names, kind, members))
	}
	return `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [` +
		strings.Join(alternatives, ", ") + `]}}}}, responses: {"201": {description: d}, "400": {description: d}}}}}}`
}

func TestAtGateEveryTypeOfEachAlternativeIsBrokenInSeveralWays(t *testing.T) {
	broken := map[string]int{}
	for _, m := range lastOf(t, kinded(), "gate", 6) {
		r := m.Reading()
		if r == nil || r.Kind != openapi.Invalid || r.Root() == nil || r.Root().Kind != jsontree.Object {
			continue
		}
		for _, member := range r.Root().Members {
			if member.Name != "kind" && member.Value.Kind != jsontree.Number {
				broken[member.Name]++
			}
		}
	}
	for _, kind := range []string{"a", "b", "c"} {
		for n := range 16 {
			assert.GreaterOrEqual(t, broken[fmt.Sprintf("%s%d", kind, n)], 4, "%s%d", kind, n)
		}
	}
}
