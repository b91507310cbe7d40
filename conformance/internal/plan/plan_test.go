package plan_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// taking loads a document with one operation that takes and gives the schema B.
func taking(t *testing.T, of string) *openapi.Contract {
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
    B: `+of+"\n"))
	require.NoError(t, err, of)
	return c
}

// The acceptance of baseline requests is what every other case rests on: whatever
// keywords a document combines, they must be plain.
func TestBaselineRequestsAreMustAcceptWhateverTheSchema(t *testing.T) {
	for _, of := range []string{
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
		`{type: object, propertyNames: {enum: [EUR, JPY]}, minProperties: 2}`,
		`{type: object, propertyNames: {const: EUR}, minProperties: 1}`,
		`{type: object, additionalProperties: {type: string, maxLength: 5}, minProperties: 2}`,
		`{type: object, required: [n, o], properties: {n: {type: integer, exclusiveMinimum: 5, exclusiveMaximum: 7}, o: {type: integer, maximum: -1}}}`,
		`{type: object, required: [v], properties: {v: {type: integer}, kids: {type: array, items: {$ref: "#/components/schemas/B"}}}}`,
		`{type: object, required: [id, n], properties: {id: {type: integer, readOnly: true}, n: {type: string}}}`,
		`{allOf: [{type: object, properties: {a: {type: string, maxLength: 9}}}, {required: [a], properties: {a: {minLength: 2}}}]}`,
	} {
		c := taking(t, of)
		op := c.Operations[0]
		p, err := plan.New(c, nil, 1, 0)
		require.NoError(t, err)
		for n := range 20 {
			body := p.Preflight(op, plan.Identity{Seed: 1}, n).Baseline().Body()
			r := op.Body.Shape.Read(body)
			assert.Equal(t, schema.MustAccept, r.Kind, "%s\n%s\n%v %v", of, body, r.Violations, r.Reasons)
		}
	}
}

func TestBaselineAnswersHoldWhatOnlyAnswersCarry(t *testing.T) {
	c := taking(t, `{type: object, required: [id, n, p], properties: {id: {type: integer, readOnly: true}, n: {type: string}, p: {type: string, writeOnly: true}}}`)
	op := c.Operations[0]
	p, err := plan.New(c, nil, 1, 0)
	require.NoError(t, err)
	g := p.Preflight(op, plan.Identity{Seed: 1}, 0)
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

func TestABadMutatorIsRefused(t *testing.T) {
	none := func(*plan.Space) []plan.Class { return nil }
	good := plan.Mutator{Name: "a-b2", Doc: "Does it.", Classes: none}
	require.NoError(t, plan.Validate([]plan.Mutator{good}))
	for want, list := range map[string][]plan.Mutator{
		`mutator "": the name is not`:    {{Doc: "D.", Classes: none}},
		`mutator "a/b": the name is not`: {{Name: "a/b", Doc: "D.", Classes: none}},
		`mutator "A": the name is not`:   {{Name: "A", Doc: "D.", Classes: none}},
		`mutator "a-": the name is not`:  {{Name: "a-", Doc: "D.", Classes: none}},
		"mutator a: the doc is not":      {{Name: "a", Classes: none}, {Name: "b", Doc: "D.", Classes: none}},
		"mutator b: the doc is not":      {{Name: "b", Doc: "One.\nTwo.", Classes: none}},
		"mutator c makes no classes":     {{Name: "c", Doc: "D."}},
		"mutator a-b2 is listed twice":   {good, good},
	} {
		assert.ErrorContains(t, plan.Validate(list), want)
	}
}

// The id of a case names the operation, the family, the mutator, the place and
// the kind, and two classes never have the same.
func TestThePlanComposesTheCaseIDFromItsParts(t *testing.T) {
	build := func(g *plan.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }
	class := plan.Class{Family: plan.FamilyInvalid, Place: plan.Place{Name: "n", Path: "/n"}, Kind: "null", Cases: 1, Build: build}
	whole := plan.Class{Family: plan.FamilySequence, Kind: "twice", Cases: 1, Build: build}
	p, err := filled(t, class, class, whole)
	require.NoError(t, err)
	var ids []string
	for _, c := range p.Cases {
		ids = append(ids, c.ID)
		assert.Equal(t, "some-mutator", c.Class.Mutator)
	}
	assert.ElementsMatch(t, []string{"post-t/invalid/some-mutator/n/null/0", "post-t/invalid/some-mutator/n/null-2/0", "post-t/sequence/some-mutator/twice/0"}, ids)
	assert.Equal(t, "some-mutator/n/null", p.Find(ids[0]).Class.Tries())
	for _, bad := range []plan.Class{{Kind: "k"}, {Family: plan.FamilyValid}, {Family: plan.FamilyValid, Kind: "a/b"}, {Family: plan.FamilyValid, Kind: "k", Place: plan.Place{Name: "a/b"}}} {
		_, err := filled(t, bad)
		assert.ErrorContains(t, err, "mutator some-mutator: a class needs")
	}
}

// filled makes a plan of those classes.
func filled(t *testing.T, classes ...plan.Class) (*plan.Plan, error) {
	t.Helper()
	p, err := plan.New(taking(t, `{type: object, required: [n], properties: {n: {type: integer}}}`), nil, 1, 1)
	require.NoError(t, err)
	return p, p.Fill(context.Background(), []plan.Mutator{{Name: "some-mutator", Doc: "D.", Classes: func(*plan.Space) []plan.Class { return classes }}})
}

func TestEveryExpectationSaysWhatTheServerHasToDo(t *testing.T) {
	seen := map[string]bool{}
	for c := message.Unstated; c <= message.Anything; c++ {
		assert.NotEmpty(t, c.String())
		assert.False(t, seen[c.String()], c.String())
		seen[c.String()] = true
	}
}

func TestNamedValuesStandInEveryBaselineRequestAndOthersMayBeRefusedThere(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/openapi/orders.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("orders.yaml", text)
	require.NoError(t, err)
	set := requirement.Derive(c, checks.Rules())
	set, c, err = requirement.NameValues(set, c, nil, []string{"/lines/0/sku=KNO-0001", c.Operations[0].Slug + ":/lines/*/quantity=7", "/customer={\"name\":\"Ada=1\"}", "/labels/0=on sale"})
	require.NoError(t, err)
	op := c.Operations[0]
	require.NotNil(t, op.Body)
	p, err := plan.New(c, auth.List(), 1, 0)
	require.NoError(t, err)
	g := p.Preflight(op, plan.Identity{Seed: 1}, 0)
	body := string(g.Baseline().Body())
	assert.Contains(t, body, `"sku":"KNO-0001","quantity":7`)
	assert.Contains(t, body, `"customer":{"name":"Ada=1"}`)
	labels := op.Body.Shape.Schema.Property("labels")
	assert.Equal(t, `["on sale"]`, g.BaselineAt("/labels", labels.Schema).String())
	read := op.Body.Shape.Read([]byte(body))
	assert.Equal(t, schema.MustAccept.String(), read.Kind.String(), "%v", read.Reasons)
	assert.Empty(t, read.Unusual)
	other := op.Body.Shape.Read([]byte(strings.Replace(body, "KNO-0001", "ABC-1234", 1)))
	assert.Equal(t, schema.MayRefuse.String(), other.Kind.String())
	assert.Equal(t, schema.Invalid.String(), op.Body.Shape.Read([]byte(strings.Replace(body, "KNO-0001", "nothing", 1))).Kind.String())

	for value, want := range map[string]string{
		"/lines/0/sku=x":        "it violates the schema in the document at /lines/*/sku",
		"/lines/0/quantity=1.5": "it violates the schema in the document at /lines/*/quantity",
		"/lines/0/size=1":       "is not a place in the request",
		"sku=1":                 "use PLACE=VALUE",
		":/labels/0=ab":         "no operation before the colon",
	} {
		_, _, err := requirement.NameValues(set, c, nil, []string{value})
		assert.ErrorContains(t, err, want, value)
	}
}

// severalMedia is a document whose operation takes JSON twice, and a form, beside a
// parameter.
func severalMedia() string {
	return strings.Replace(fake.SeveralMedia, "operationId: createPet", "parameters: [{name: limit, in: query, schema: {type: integer}}]", 1)
}

// requestsOf counts the cases of each media type of the operation.
func requestsOf(t *testing.T, document, effort string) (map[string]int, *plan.Plan) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	c, err = plan.LeaveOut(c, 1)
	require.NoError(t, err)
	e, err := plan.EffortFor(effort, 1, 1)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 1, e, append(mutate.List(), mutate.Sequences()...)...)
	out := map[string]int{}
	for _, k := range p.Cases {
		out[k.Op.Body.Media]++
	}
	return out, p
}

func TestFurtherMediaTypesShareTheBudgetOfTheirOperation(t *testing.T) {
	t.Parallel()
	several, p := requestsOf(t, severalMedia(), "gate")
	one, _ := requestsOf(t, strings.Replace(strings.Replace(severalMedia(), "          text/json", "          #", 1), "          application/x-www", "          #", 1), "gate")
	assert.Len(t, one, 1)
	assert.Equal(t, 2, several["text/json"], "the same schema as bytes of the same form")
	assert.Greater(t, several["application/x-www-form-urlencoded"], 50)
	assert.Greater(t, several["application/json"], 100)
	all := several["application/json"] + several["application/x-www-form-urlencoded"]
	assert.LessOrEqual(t, all, 1000)
	assert.LessOrEqual(t, all, one["application/json"]+10)
	for _, k := range p.Cases {
		if !k.Op.IsAdditional() {
			continue
		}
		assert.NotEqual(t, plan.FamilyCredential, k.Class.Family, k.ID)
		assert.Equal(t, plan.Single, k.Class.Phase, k.ID)
		assert.False(t, strings.HasPrefix(k.Class.Place.Path, "query"), k.ID)
	}
	assert.NotNil(t, p.Find("post-pets-text-json/valid/baseline/body/baseline/0"))
	assert.NotNil(t, p.Find("post-pets-application-x-www-form-urlencoded/invalid/missing-members/name/missing/0"))
}

// A server that reads objects in forms in its own way is right, whatever it answers.
func TestAFurtherMediaTypeThatServersReadDifferentlyIsLeftOut(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(strings.Replace(severalMedia(), "required: [name], properties: {", "required: [name, home], properties: {home: {type: object, required: [a], properties: {a: {type: string}}}, ", 1)))
	require.NoError(t, err)
	c, err = plan.LeaveOut(c, 1)
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	require.Len(t, c.Operations[0].Additional, 1)
	assert.Equal(t, "text/json", c.Operations[0].Additional[0].Body.Media)
	require.Len(t, c.LeftOut, 1)
	assert.Contains(t, c.LeftOut[0], "POST /pets (application/x-www-form-urlencoded) is never sent: no valid request can be made: servers read /home differently: ")
}

func TestAFurtherMediaTypeThatCannotHoldItsSchemaIsLeftOut(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(strings.Replace(severalMedia(), "text/json", "text/plain", 1)))
	require.NoError(t, err)
	c, err = plan.LeaveOut(c, 1)
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	require.Len(t, c.Operations[0].Additional, 1)
	assert.Equal(t, "application/x-www-form-urlencoded", c.Operations[0].Additional[0].Body.Media)
	require.Len(t, c.LeftOut, 1)
	assert.Contains(t, c.LeftOut[0], "POST /pets (text/plain) is never sent: no valid request can be made: ")
}

// Whether a server knows a key that was made up, the pre-flight finds out.
func TestAnAlternativeThatNeedsTheKeyOfSomethingIsTried(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/events: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [
  {type: object, required: [kind], properties: {kind: {const: a}}},
  {title: Deleted, type: object, required: [kind, userId], properties: {kind: {const: b}, userId: {type: string, minLength: 1, maxLength: 24}, gdpr: {type: boolean}}}]}}}},
  responses: {"201": {description: stored}, "400": {description: refused}}}}}}`))
	require.NoError(t, err)
	c, err = plan.LeaveOut(c, 1)
	require.NoError(t, err)
	assert.Empty(t, c.LeftOut)
	require.Len(t, c.Operations[0].Additional, 1)
	broken := map[string]bool{}
	for _, k := range fake.Plan(t, c, 1, 1, plan.Effort{}, mutate.List()...).Cases {
		if k.Op.IsAdditional() && k.Class.Expected == message.Refuse {
			broken[k.Class.Place.Path] = true
		}
	}
	assert.True(t, broken["/userId"] && broken["/gdpr"], "%v", broken)
}
