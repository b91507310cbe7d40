package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// taking loads a document with one operation that takes and gives the schema B.
func taking(t *testing.T, schema string) *openapi.Contract {
	t.Helper()
	c, err := openapi.Load("document.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}
components:
  schemas:
    B: `+schema+"\n"))
	require.NoError(t, err, schema)
	return c
}

// The acceptance of baseline requests is what every other case rests on: whatever
// keywords a document combines, they must be plain.
func TestBaselineRequestsAreMustAcceptWhateverTheSchema(t *testing.T) {
	for _, schema := range []string{
		`{type: array, items: {type: integer}, minItems: 2}`,
		`{type: array, contains: {type: integer, minimum: 10}}`,
		`{type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2}`,
		`{type: string, minLength: 3}`,
		`{type: [string, "null"]}`,
		`{properties: {a: {type: string}}, required: [a]}`,
		`{oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: integer}]}`,
		`{type: object, required: [kind], properties: {kind: {type: string}}, oneOf: [` +
			`{properties: {kind: {const: cat}, lives: {type: integer}}, required: [lives]},` +
			`{properties: {kind: {const: dog}, barks: {type: boolean}}, required: [barks]}]}`,
		`{type: object, required: [k], properties: {k: {anyOf: [{type: string, minLength: 2}, {type: integer}]}}}`,
		`{type: object, patternProperties: {"^x-": {type: integer}}, additionalProperties: false, minProperties: 1}`,
		`{type: object, propertyNames: {pattern: "^[a-z]+$"}, minProperties: 1}`,
		`{type: object, additionalProperties: {type: string, maxLength: 5}, minProperties: 2}`,
		`{type: object, required: [n, o], properties: {n: {type: integer, exclusiveMinimum: 5, exclusiveMaximum: 7}, o: {type: integer, maximum: -1}}}`,
		`{type: object, required: [v], properties: {v: {type: integer}, kids: {type: array, items: {$ref: "#/components/schemas/B"}}}}`,
		`{type: object, required: [id, n], properties: {id: {type: integer, readOnly: true}, n: {type: string}}}`,
		`{allOf: [{type: object, properties: {a: {type: string, maxLength: 9}}}, {required: [a], properties: {a: {minLength: 2}}}]}`,
	} {
		c := taking(t, schema)
		op := c.Operations[0]
		p, err := plan.New(c, nil, 1, 0)
		require.NoError(t, err)
		for n := range 20 {
			body := p.Preflight(op, generate.Identity{Seed: 1}, n).Baseline().Body()
			r := op.Body.Shape.Read(body)
			assert.Equal(t, openapi.MustAccept, r.Kind, "%s\n%s\n%v %v", schema, body, r.Violations, r.Reasons)
		}
	}
}

func TestBaselineAnswersHoldWhatOnlyAnswersCarry(t *testing.T) {
	c := taking(t, `{type: object, required: [id, n, p], properties: {id: {type: integer, readOnly: true}, n: {type: string}, p: {type: string, writeOnly: true}}}`)
	op := c.Operations[0]
	p, err := plan.New(c, nil, 1, 0)
	require.NoError(t, err)
	g := p.Preflight(op, generate.Identity{Seed: 1}, 0)
	sent, got := g.Baseline().Tree, g.BaselineValue(op.Responses[0].Media[0].Shape.Schema)
	assert.Nil(t, sent.Get("id"))
	assert.NotNil(t, sent.Get("p"))
	assert.NotNil(t, got.Get("id"))
	assert.Nil(t, got.Get("p"))
}

func TestSchemasThatReferToEachOtherAreFollowedOnlySoFar(t *testing.T) {
	const mesh = `{type: object, properties: {a: {$ref: "#/components/schemas/B"}, b: {$ref: "#/components/schemas/B"}, c: {$ref: "#/components/schemas/B"}}}`
	assert.Equal(t, []string{"/components/schemas/B: the schema goes deeper than it is tried: it contains itself (document.yaml:12:8)"}, taking(t, mesh).LeftOut)

	var all strings.Builder
	for _, name := range strings.Split("B C D E F G H I J K L M", " ") {
		all.WriteString("    " + name + ": {type: object, properties: {")
		for _, to := range strings.Split("B C D E F G H I J K L M", " ") {
			all.WriteString(to + `: {$ref: "#/components/schemas/` + to + `"}, `)
		}
		all.WriteString("}}\n")
	}
	c := taking(t, strings.TrimPrefix(all.String(), "    B: "))
	assert.Len(t, c.LeftOut, 1, "what would be 12! schemas is walked a few levels deep")
	assert.Len(t, c.Operations[0].Body.Shape.Schema.Properties, 12)
}
