package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// hooks has alternatives with a discriminator, alone and as items, and such with a member
// of one value each.
const hooks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /hooks: {post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Hook"}}}},
    responses: {"201": {description: d}, "400": {description: d}}}},
  /batches: {post: {requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {$ref: "#/components/schemas/Hook"}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}},
  /shapes: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [
      {type: object, required: [shape, side], properties: {shape: {const: square}, side: {type: integer}}},
      {type: object, required: [shape, radius], properties: {shape: {const: circle}, radius: {type: integer}}}]}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}},
  components: {schemas: {
    Hook: {oneOf: [{$ref: "#/components/schemas/Paid"}, {$ref: "#/components/schemas/Gone"}],
      discriminator: {propertyName: kind, mapping: {paid: "#/components/schemas/Paid", gone: "#/components/schemas/Gone"}}},
    Paid: {type: object, required: [kind, cents], properties: {kind: {enum: [paid]}, cents: {type: integer}, note: {type: string}}},
    Gone: {type: object, required: [kind, user], properties: {kind: {enum: [gone]}, user: {type: string}}}}}}`

func TestMembersOfOneAlternativeAreSentInTheNameOfAnother(t *testing.T) {
	for _, effort := range []string{"gate", "full"} {
		var sent []string
		for one, m := range lastOf(t, hooks, effort, 0) {
			if one.Class.Mutator != "other-alternatives" {
				continue
			}
			r := m.Reading()
			require.Equal(t, openapi.Invalid, r.Kind, one.ID)
			var broken []string
			for _, v := range r.Violations {
				broken = append(broken, strings.TrimSpace(v.Path+" "+v.Keyword))
			}
			sent = append(sent, one.Op.Path+" "+strings.Join(broken, ",")+": "+m.Tree.String())
		}
		for _, row := range [][]string{
			{"/hooks oneOf: ", `"kind":"gone"`, `"cents"`},
			{"/hooks oneOf: ", `"kind":"gone"`, `"cents"`, `"note"`},
			{"/hooks oneOf: ", `"kind":"paid"`, `"user"`},
			{"/hooks /kind enum: ", `"kind":"gonex"`},
			{"/batches /* oneOf: ", `"kind":"gone"`, `"cents"`},
			{"/shapes /shape const: ", `"shape":"circle"`, `"side"`},
			{"/shapes /shape const: ", `"shape":"square"`, `"radius"`},
		} {
			assert.True(t, holdsAll(sent, row), "%s: %v is not among %s", effort, row, strings.Join(sent, "\n"))
		}
	}
}
