package mutate_test

import (
	"fmt"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
	"plantstore/spec"
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
	sample.OneIn(t, 3)
	for i, at := range smallPlaces {
		t.Run(at.name, func(t *testing.T) {
			sample.OneIn(t, 7)
			c, err := openapi.Load("small.yaml", smallDocument(i))
			require.NoError(t, err)
			c, err = plan.LeaveOut(c, 1)
			require.NoError(t, err)
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
			for _, id := range []plan.Identity{{Seed: 1 + seed}, {Seed: 1 + seed, Retry: 1}} {
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
	given := new(plan.Given)
	given.Set(c.Operations[0], map[string]*jsontree.Value{"/conditions": jsontree.NewArray()})
	p := fake.Plan(t, c, 1, 2, plan.Effort{Requests: 20_000}, mutate.List()...)
	tried := 0
	for _, k := range p.Cases {
		if k.Class.Expected != message.RefuseNotJSON {
			continue
		}
		for _, step := range p.Build(k, plan.Identity{Seed: 1, Given: given}) {
			r := step.Message.Reading()
			require.NotNil(t, r, k.ID)
			assert.Equal(t, schema.NotJSON, r.Kind, "%s: %s", k.ID, step.Message.Body())
			tried++
		}
	}
	assert.Greater(t, tried, 500)
}

// A request that breaks only what no requirement is about could be accepted without
// a failure.
func TestARequirementIsAboutWhatEachInvalidRequestBreaks(t *testing.T) {
	list := documents(t)
	for _, name := range sample.Of([]string{"../../../reference/services/crud/openapi.yaml", "../../../testdata/openapi/desk.yaml", "../../../testdata/openapi/parcels.yaml", "../../../testdata/openapi/gates.yaml"}, 4) {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		c, err := openapi.Load(name, b)
		require.NoError(t, err)
		_, c = resource.Analyse(c)
		list = append(list, document{name, c})
	}
	for _, d := range list {
		set, unnamed := requirement.Derive(d.contract, checks.Rules()), map[string]bool{}
		p := planOf(t, d, 1)
		for _, c := range p.Cases {
			if c.Class.Family != plan.FamilyInvalid || c.Draw > 0 {
				continue
			}
			steps := p.Build(c, plan.Identity{Seed: 1})
			r := steps[len(steps)-1].Message.Reading()
			if r == nil || r.Kind != schema.Invalid {
				continue
			}
			named := slices.ContainsFunc(set.List, func(q *requirement.Requirement) bool {
				return q.About(c.Op) && q.Rule == "refuses-schema" && r.Violates(q.Args.Key)
			})
			if !named {
				unnamed[c.Class.Slug+" "+r.Violations[0].Keyword+" "+r.Violations[0].Path] = true
			}
		}
		assert.Empty(t, unnamed, d.name)
	}
}

// ofPattern is a document with a member whose texts have a pattern.
func ofPattern(text string) string {
	return `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/flags: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [enabled], properties: {enabled: {type: boolean}, weight: {type: integer}, rules: {type: array, maxItems: 3, uniqueItems: true, items:
    {type: object, required: [attribute, values], properties: {attribute: {type: string, pattern: "` + text + `", maxLength: 40},
      values: {type: array, minItems: 1, maxItems: 5, uniqueItems: true, items: {type: string, maxLength: 30}}}}}}}}}},
  responses: {"200": {description: done}, "400": {description: refused}}}}}}`
}

// broken are the keywords that classes of few values break, by member.
func broken(t *testing.T, document string) (map[string]bool, *plan.Plan) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	e, err := plan.EffortFor("gate", 1, 1)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 1, e, mutate.List()...)
	out := map[string]bool{}
	for _, k := range p.Cases {
		if k.Class.Expected == message.Refuse {
			out[k.Class.Subject] = true
		}
	}
	return out, p
}

func TestAMemberWithAPatternOfNestedRepetitionsLeavesThePlanWhole(t *testing.T) {
	t.Parallel()
	plain, _ := broken(t, ofPattern("^[A-Za-z_]+$"))
	nested, p := broken(t, ofPattern("^[A-Za-z_]+(-[A-Za-z_]+)*$"))
	assert.Empty(t, p.LeftOut)
	assert.Greater(t, len(plain), 10)
	assert.Equal(t, plain, nested)
}

const (
	defaultDraws = 100
	token        = "user7Zq:T0ken-4bQ9xW.m"
)

// document is a contract that the whole catalogue is tried on.
type document struct {
	name     string
	contract *openapi.Contract
}

// documents are loaded once for all tests.
func documents(t testing.TB) []document {
	t.Helper()
	list, err := loaded()
	require.NoError(t, err)
	return list
}

var loaded = sync.OnceValues(func() ([]document, error) {
	plants, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	if err != nil {
		return nil, err
	}
	if _, plants, err = requirement.Overlay(requirement.Derive(plants, checks.Rules()), plants, "requirements.yaml", spec.Requirements, checks.Names()); err != nil {
		return nil, err
	}
	out := []document{{"plants", plants}}
	for _, name := range sample.Of([]string{"orders", "keywords", "numbers", "conditions", "forms", "answers"}, 6) {
		b, err := os.ReadFile("testdata/" + name + ".yaml")
		if err != nil {
			return nil, err
		}
		c, err := openapi.Load(name+".yaml", b)
		if err != nil {
			return nil, err
		}
		out = append(out, document{name, c})
	}
	return out, nil
})

func catalogue() []plan.Mutator { return append(mutate.List(), mutate.Sequences()...) }

// plansOf are the plans of the documents by name and seed. Each is made once for all tests.
var plansOf fake.Shared[*plan.Plan]

// planOf is the plan of a document with all mutators, which tests share.
func planOf(t testing.TB, d document, seed uint64) *plan.Plan {
	t.Helper()
	return plansOf.Of(fmt.Sprint(d.name, " ", seed), func() *plan.Plan { return ownPlanOf(t, d, seed) })
}

// ownPlanOf is the same plan, made for one test.
func ownPlanOf(t testing.TB, d document, seed uint64) *plan.Plan {
	t.Helper()
	return fake.Plan(t, d.contract, seed, defaultDraws, plan.Effort{}, catalogue()...)
}

// lastOf gives each case of the plan of a document at an effort, which may depend on the number
// of operations, with the last message that the case sends: all of them, or those of a mutator or kind.
func lastOf(t *testing.T, document, effort string, operations int, of ...string) iter.Seq2[*plan.Case, *message.Message] {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	e, err := plan.EffortFor(effort, operations, 0)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, defaultDraws, e, catalogue()...)
	return func(yield func(*plan.Case, *message.Message) bool) {
		for _, one := range p.Cases {
			if len(of) > 0 && !slices.Contains(of, one.Class.Mutator) && !slices.Contains(of, one.Class.Kind) {
				continue
			}
			steps := p.Build(one, plan.Identity{Seed: 1})
			if !yield(one, steps[len(steps)-1].Message) {
				return
			}
		}
	}
}

func endpoint(p *plan.Plan) *message.Endpoint {
	e := fake.Endpoint(p)
	e.Token = token
	return e
}

// useful reports whether the attempt of a credential class makes sense for the
// token of these tests.
func useful(p *plan.Plan, c *plan.Case) bool {
	if c.Class.Family != plan.FamilyCredential {
		return true
	}
	for _, a := range p.Space(c.Op).Auth.Attempts() {
		if a.Slug() == c.Class.Place.Name {
			return a.Useful == nil || a.Useful(token)
		}
	}
	return false
}

// holds reports whether the bytes bear a expected out.
func holds(expected message.Expectation, s *message.Sent) bool {
	d := s.Expectation()
	switch expected {
	case message.Accept:
		return d == message.Accept
	case message.Refuse:
		return s.Body != nil && s.Body.Kind == schema.Invalid && (d == message.Refuse || len(s.Transport) > 0)
	case message.RefuseNotJSON:
		return s.Body != nil && s.Body.Kind == schema.NotJSON
	case message.Either:
		return d == message.Either || d == message.Anything
	case message.RefuseCredential:
		return d == message.RefuseCredential
	}
	return true
}
