package mutate_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/sample"
)

// smallSchemas leave little room for what generation and mutators take for granted: a body
// that is an object, more than one value, a value of one digit more.
var smallSchemas = []string{
	`{type: number}`, `{type: integer}`, `{type: string}`, `{type: boolean}`, `{type: "null"}`, `{}`,
	`{type: number, maximum: 10}`, `{type: number, minimum: -10, maximum: 10}`, `{type: integer, minimum: 1, maximum: 10}`,
	`{type: number, minimum: -10, maximum: 10, multipleOf: 0.1}`, `{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 2}`,
	`{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}`, `{type: number, minimum: 0.1, maximum: 0.3}`,
	`{type: number, multipleOf: 0.25, maximum: 1}`, `{type: integer, multipleOf: 7, minimum: 10, maximum: 20}`,
	`{type: integer, maximum: -5}`, `{type: integer, minimum: 0, maximum: 3}`, `{type: integer, minimum: 10000000000}`, `{type: integer, format: int32, minimum: 2147483646}`,
	`{type: integer, not: {const: 5}, minimum: 4, maximum: 8}`, `{type: integer, not: {enum: [4, 5, 6, 7]}, minimum: 4, maximum: 8}`,
	`{type: integer, not: {minimum: 6}, minimum: 4, maximum: 8}`, `{type: number, not: {multipleOf: 2}}`,
	`{type: string, not: {const: abc}}`, `{type: string, not: {maxLength: 3}, maxLength: 5}`, `{type: boolean, not: {const: true}}`,
	`{type: boolean, enum: [false]}`, `{const: true}`, `{const: 5}`, `{const: abc}`, `{enum: [a]}`, `{enum: [1, 2]}`,
	`{enum: [a, b], not: {const: a}}`, `{type: integer, enum: [1, 2, 3], minimum: 2}`, `{type: string, enum: [a, bcd], minLength: 2}`,
	`{type: [string, "null"]}`, `{type: [integer, "null"], maximum: 10}`, `{type: [integer, boolean]}`,
	`{type: string, maxLength: 0}`, `{type: string, minLength: 1, maxLength: 1}`, `{type: string, pattern: "^[ab]$"}`,
	`{type: string, format: date}`, `{type: string, pattern: "^a+$", maxLength: 3}`,
	`{type: array}`, `{type: array, items: {type: integer}}`, `{type: array, items: {type: string}, minItems: 1, maxItems: 2}`,
	`{type: array, items: {type: integer, maximum: 9}, contains: {const: 1}}`, `{type: array, items: {type: integer, minimum: 0, maximum: 9}, contains: {const: 1}, maxItems: 2}`,
	`{type: array, items: {enum: [n, s]}, uniqueItems: true}`, `{type: array, items: {type: boolean}, uniqueItems: true, minItems: 2}`,
	`{type: array, maxItems: 0}`, `{type: array, items: {type: integer, not: {const: 5}, minimum: 4, maximum: 8}}`,
	`{type: object, minProperties: 0, properties: {a: {type: object, required: [b], properties: {b: {}}}}}`,
	`{type: object}`, `{type: object, properties: {a: {type: integer, not: {const: 5}, minimum: 4, maximum: 8}}}`,
	`{type: object, required: [a], properties: {a: {type: integer, maximum: 10}}, additionalProperties: false}`,
	`{type: object, maxProperties: 0}`, `{anyOf: [{type: integer, minimum: 10}, {type: string, pattern: "^x[a-z]+$"}]}`,
	`{oneOf: [{type: integer}, {type: boolean}]}`, `{oneOf: [{type: integer, maximum: 5}, {type: object, required: [a], properties: {a: {type: string}}}]}`,
	`{allOf: [{type: integer, minimum: 3}, {maximum: 5}]}`, `{type: integer, anyOf: [{minimum: 5, maximum: 6}, {const: 9}]}`,
}

// smallPlaces are where a schema stands, with the way to write it there.
var smallPlaces = []struct{ name, method, path, operation string }{
	{"body", "post", "", `requestBody: {required: true, content: {application/json: {schema: %s}}}`},
	{"free-body", "post", "", `requestBody: {content: {application/json: {schema: %s}}}`},
	{"query", "get", "", `parameters: [{name: a, in: query, schema: %s}]`},
	{"needed-query", "get", "", `parameters: [{name: a, in: query, required: true, schema: %s}]`},
	{"flat-query", "get", "", `parameters: [{name: a, in: query, style: pipeDelimited, explode: false, schema: %s}]`},
	{"header", "get", "", `parameters: [{name: X-A, in: header, required: true, schema: %s}]`},
	{"free-header", "get", "", `parameters: [{name: X-A, in: header, schema: %s}]`},
	{"cookie", "get", "", `parameters: [{name: a, in: cookie, schema: %s}]`},
	{"path", "get", "/{a}", `parameters: [{name: a, in: path, required: true, schema: %s}]`},
	{"matrix", "get", "/{a}", `parameters: [{name: a, in: path, required: true, style: matrix, schema: %s}]`},
	{"json", "get", "", `parameters: [{name: a, in: query, content: {application/json: {schema: %s}}}]`},
}

func smallDocument(place int) []byte {
	var out strings.Builder
	out.WriteString("openapi: 3.1.0\ninfo: {title: Small, version: '1'}\npaths:\n")
	at := smallPlaces[place]
	for i, s := range smallSchemas {
		fmt.Fprintf(&out, "  /%s%d%s:\n    %s:\n      operationId: %s%d\n      %s\n      responses: {'200': {description: ok}, 4XX: {description: bad}}\n",
			at.name, i, at.path, at.method, at.name, i, fmt.Sprintf(at.operation, s))
	}
	return []byte(out.String())
}

// An error of the suite ends a run, so no schema may lead to one, however small it is.
func TestEveryClassOfASmallDocumentIsWhatItExpectsToBe(t *testing.T) {
	for i, at := range smallPlaces {
		t.Run(at.name, func(t *testing.T) {
			sample.OneIn(t, 7)
			c, err := openapi.Load("small.yaml", smallDocument(i))
			require.NoError(t, err)
			require.NoError(t, plan.LeaveOut(c, 1))
			expectItself(t, fake.Plan(t, c, 1, smallDraws, plan.Effort{Requests: smallRequests}, catalogue()...), 1)
		})
	}
}

// Values that travel as text may be drawn with a separator, and any query name may be sent.
func TestEveryDrawOfATextIsWhatItsClassExpects(t *testing.T) {
	c, err := openapi.Load("texts.yaml", []byte(`openapi: 3.0.3
info: {title: Texts, version: '1'}
paths:
  /forms:
    post:
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [n], properties: {n: {type: integer}, list: {type: array, items: {type: string}}}}}}}
      responses: {'200': {description: ok}, '400': {description: bad}}
  /boxes:
    get:
      parameters: [{name: shape, in: query, schema: {type: object, required: [width], properties: {width: {type: integer}, height: {type: integer}}}}]
      responses: {'200': {description: ok}, '400': {description: bad}}
`))
	require.NoError(t, err)
	expectItself(t, fake.Plan(t, c, 1, textDraws, plan.Effort{}, fakerun.Mutators(t, "random-strings", "header-fields", "queries", "renamed-members", "broken-framing", "invisible-marks")...), textSeeds)
}

const (
	textDraws = 20
	textSeeds = 3
)

// expectItself checks that the bytes of every case are what its class expects, with several seeds.
func expectItself(t *testing.T, p *plan.Plan, seeds uint64) {
	t.Helper()
	e := endpoint(p)
	for _, c := range p.Cases {
		if !useful(p, c) {
			continue
		}
		for seed := range seeds {
			for _, id := range []generate.Identity{{Seed: 1 + seed}, {Seed: 1 + seed, Retry: 1}} {
				steps := p.Build(c, id)
				require.NotEmpty(t, steps, c.ID)
				for _, step := range steps {
					if step.Message == nil {
						continue
					}
					wire := e.Wire(step.Message, c.ID)
					if debris := formatDebris.Find(append(wire.Head[:len(wire.Head):len(wire.Head)], wire.Body...)); debris != nil {
						t.Errorf("%s: %q on the wire", c.ID, debris)
					}
				}
				last := steps[len(steps)-1].Message
				if last == nil {
					t.Errorf("%s: no message", c.ID)
					continue
				}
				wire := e.Wire(last, c.ID)
				if wire.Err != nil {
					t.Errorf("%s: no wire: %v", c.ID, wire.Err)
					continue
				}
				if sent := e.Classify(last, wire); !judge.AsExpected(c.Class.Expected, sent, c.Op.AsText()) {
					t.Errorf("%s: %s, but the server has to %d: %q %.200q (%+v)", c.ID, c.Class.Expected, sent.Expectation(), last.Path(), last.Body(), sent.Body)
				}
			}
		}
	}
}

// formatDebris is what package fmt writes for a verb and an argument that do not belong together.
var formatDebris = regexp.MustCompile(`%!([a-zA-Z]|)\(`)

const smallDraws = 2

// smallRequests bounds the requests of each operation.
const smallRequests = 300

// A target may refuse the items with which a plan was made.
func TestABodyIsNoJSONWhereTheTargetTakesOtherListsThanThoseThatWerePlanned(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/segments: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [name, conditions], properties: {name: {type: string}, conditions: {type: array, items: {type: object, required: [field, on], properties: {field: {type: string}, on: {type: boolean}}}}}}}}},
  responses: {"201": {description: made}, "400": {description: refused}}}}}}`))
	require.NoError(t, err)
	given := new(generate.Given)
	given.Set(c.Operations[0], map[string]*jsontree.Value{"/conditions": jsontree.NewArray()})
	p := fake.Plan(t, c, 1, 2, plan.Effort{Requests: 20_000}, mutate.List()...)
	tried := 0
	for _, k := range p.Cases {
		if k.Class.Expected != plan.ExpectNotJSON {
			continue
		}
		for _, step := range p.Build(k, generate.Identity{Seed: 1, Given: given}) {
			r := step.Message.Reading()
			require.NotNil(t, r, k.ID)
			assert.Equal(t, openapi.NotJSON, r.Kind, "%s: %s", k.ID, step.Message.Body())
			tried++
		}
	}
	assert.Greater(t, tried, 500)
}
