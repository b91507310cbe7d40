package openapi

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

func TestAMalformedSchemaIsToldWithItsPlaceAndNothingOfOurs(t *testing.T) {
	const at = "/paths/~1a/post/requestBody/content/application~1json/schema"
	for schema, want := range map[string]string{
		"{type: []}":      "doc.yaml:10:28: " + at + "/type: no JSON schema: value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'",
		"{minLength: -1}": "doc.yaml:10:33: " + at + "/minLength: no JSON schema: minimum: got -1, want 0",
		"{pattern: '['}":  "doc.yaml:10:31: " + at + "/pattern: no JSON schema: '[' is not valid regex: pattern \"[\": missing ]",
		"{properties: {a/b: {allOf: [{enum: 5}]}}}": "doc.yaml:10:56: " + at + "/properties/a~1b/allOf/0/enum: no JSON schema: got number, want array",
		"[]":              "doc.yaml:10:21: " + at + ": no JSON schema: got array, want boolean or object",
		"{required: [1]}": "doc.yaml:10:33: " + at + "/required/0: no JSON schema: got number, want string",
	} {
		_, err := Load("doc.yaml", []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: %s
      responses: {'200': {description: ok}}
`, schema)))
		assert.EqualError(t, err, "doc.yaml: no operation of the document can be tested: POST /a: "+want, schema)
	}
}

// shop is a document whose names, examples and descriptions tell what texts are.
const shop = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/shops: {post: {
  parameters: [{name: lang, in: query, description: A BCP 47 tag., schema: {type: string}}],
  requestBody: {content: {application/json: {schema: {type: object, properties: {
    currency: {$ref: "#/components/schemas/Letters"}, initials: {$ref: "#/components/schemas/Letters"},
    opens: {type: string, example: "09:00"}, closes: {type: string, example: "18:00"},
    zone: {anyOf: [{type: string}, {type: "null"}], description: "IANA time zone, such as Europe/Berlin"},
    days: {type: array, items: {type: string, pattern: '^\d{4}-\d{2}-\d{2}$'}},
    orderId: {type: string, example: 09:00}, name: {type: string}, state: {type: string, enum: [open], description: "One of a, b."}}}}}},
  responses: {"201": {description: d}}}}},
  components: {schemas: {Letters: {type: string, pattern: "^[A-Z]{3}$"}}}}`

func TestAServerMayRefuseTextsThatAreNotOfTheKindThatTheirNameTells(t *testing.T) {
	c, err := Load("t", []byte(shop))
	require.NoError(t, err)
	op := c.Find("post-shops")
	for body, want := range map[string]Kind{
		`{"currency":"EUR"}`:                 MustAccept,
		`{"currency":"QXZ"}`:                 MayRefuse,
		`{"currency":"eur"}`:                 Invalid,
		`{"initials":"QXZ"}`:                 MustAccept,
		`{"opens":"10:00"}`:                  MustAccept,
		`{"opens":"25:00"}`:                  MayRefuse,
		`{"opens":"g4hs8kd2"}`:               MayRefuse,
		`{"days":["2031-12-24"]}`:            MustAccept,
		`{"days":["2031-13-24"]}`:            MayRefuse,
		`{"opens":"10:00","closes":"10:30"}`: MustAccept,
		`{"opens":"10:00","closes":"09:30"}`: MayRefuse,
		`{"state":"open","name":"g4hs8kd2"}`: MustAccept,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Nil(t, op.Body.Shape.Schema.Property("orderId").Schema.Code, "it names something that exists")
}

// A request gets texts of the kind that a sentence tells of, and no verdict rests on it.
func TestAKindThatOnlyASentenceTellsOfIsDrawnAndExcusesNothing(t *testing.T) {
	c, err := Load("t", []byte(shop))
	require.NoError(t, err)
	op := c.Find("post-shops")
	zone := op.Body.Shape.Schema.Property("zone").Schema.AnyOf[0]
	assert.Nil(t, zone.Code)
	assert.Equal(t, "time zone name (IANA)", zone.Drawn().String())
	for _, body := range []string{`{"zone":"Asia/Tokyo"}`, `{"zone":"nowhere"}`} {
		assert.Equal(t, MustAccept, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Equal(t, MustAccept, op.Params.Read([]byte(`{"query":{"lang":"xx-nothing"}}`)).Kind)
	guessed := map[string]bool{}
	for _, zone := range []string{"Asia/Tokyo", "nowhere"} {
		list, _ := c.Choices(op, op.Body.Shape.Read([]byte(`{"zone":"`+zone+`"}`)), nil)
		guessed[zone] = list[0].Guessed
	}
	assert.Equal(t, map[string]bool{"Asia/Tokyo": true, "nowhere": false}, guessed, "that a guess is taken says nothing of other texts")
}

// circle is a document of schemas that all lead to each other.
func circle(schemas int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{` +
		`"schema":{"$ref":"#/components/schemas/S0"}}}},"responses":{"200":{"description":"ok"}}}}},"components":{"schemas":{`)
	for i := range schemas {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"S%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/S%d"},"other":{"anyOf":[{"$ref":"#/components/schemas/S%d"},{"type":"null"}]},"n":{"type":"integer","maximum":%d}}}`,
			i, (i+1)%schemas, i*7%schemas, i)
	}
	b.WriteString("}}}")
	return []byte(b.String())
}

func TestReferencesThatAreLinkedJudgeAllTheWayDown(t *testing.T) {
	c, err := Load("circle.json", circle(50))
	require.NoError(t, err)
	shape := c.Operations[0].Body.Shape
	at := func(value string, deep int) Kind {
		return shape.Read([]byte(strings.Repeat(`{"next":`, deep) + value + strings.Repeat("}", deep))).Kind
	}
	for deep := range 60 {
		assert.NotEqual(t, Invalid, at(fmt.Sprintf(`{"n":%d}`, deep%50), deep), deep)
		assert.Equal(t, Invalid, at(fmt.Sprintf(`{"n":%d}`, deep%50+1), deep), deep)
	}
	assert.Equal(t, Invalid, at(`{"other":{"next":{"next":5}}}`, 3))
}

// The library compiles what a schema leads to in one piece, in quadratic time.
// Each is compiled alone, so that its list holds no other.
func TestASchemaIsCompiledWithoutWhatItRefersTo(t *testing.T) {
	c, err := Load("circle.json", circle(50))
	require.NoError(t, err)
	units := c.Operations[0].Body.Shape.document.units[Requests]
	one, err := units.Load(strings.TrimSuffix(units.URL("/components/schemas/S0"), "#"))
	require.NoError(t, err)
	next := one.(map[string]any)["properties"].(map[string]any)["next"].(map[string]any)["$ref"].(string)
	stands, err := units.Load(next)
	require.NoError(t, err)
	assert.Equal(t, true, stands)
	target, ok := units.target(next + "#")
	assert.True(t, ok)
	assert.Equal(t, units.URL("/components/schemas/S1"), target)
}

func TestAPatternThatADocumentRepeatsIsCompiledOnce(t *testing.T) {
	known := patterns{kept: map[string]*pattern.Pattern{}}
	first, err := decides.engine(&known)("^a+$")
	require.NoError(t, err)
	again, err := fails.engine(&known)("^a+$")
	require.NoError(t, err)
	assert.Same(t, first.(matcher).Pattern, again.(matcher).Pattern)

	for i := range 2 * maxPatterns {
		_, err := known.compile(fmt.Sprint("b", i))
		require.NoError(t, err)
	}
	_, err = known.compile(strings.Repeat("c", longestPattern+1))
	require.NoError(t, err)
	assert.Len(t, known.kept, maxPatterns, "a server cannot fill the memory with values of format regex")
	assert.NotContains(t, known.kept, strings.Repeat("c", longestPattern+1))
}

// windows is a document with resources that begin and end. The body of PATCH has the end alone,
// that of the second PATCH both.
const windows = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Bounds: {type: object, properties: {min: {type: integer, minimum: 0, maximum: 50}, max: {type: integer, minimum: 10, maximum: 90}}},
  Thing: {type: object, properties: {start: {type: string, format: date}, end: {type: [string, 'null'], format: date}, note: {type: string}, bounds: {$ref: "#/components/schemas/Bounds"}, list: {type: array, items: {$ref: "#/components/schemas/Bounds"}}}}}}, paths: {
  /things: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"201": {description: d}}}},
  "/things/{id}": {parameters: [&id {name: id, in: path, required: true, schema: {type: string}}],
    patch: {requestBody: {content: {application/json: {schema: {type: object, properties: {end: {type: [string, 'null'], format: date}, note: {type: string}}}}}}, responses: {"200": {description: d}}},
    put: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"200": {description: d}}}},
  "/kept/{id}": {parameters: [*id],
    put: {requestBody: {content: {application/json: {schema: {type: object, required: [note], properties: {start: {type: string, format: date}, end: {type: string, format: date}, note: {type: string}}}}}}, responses: {"200": {description: d}}}},
  "/others/{id}": {parameters: [*id],
    patch: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"200": {description: d}}}},
  "/read/{id}": {parameters: [*id],
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}},
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {start: {type: string, format: date}}}}}}, responses: {"200": {description: d}}}}}}`

func TestOneMemberOfAPairMayDisagreeWithTheStoredOne(t *testing.T) {
	c, err := Load("t", []byte(windows))
	require.NoError(t, err)
	for _, row := range []struct {
		op, body string
		want     Kind
	}{
		{"patch-things-id", `{"end":"2026-02-03"}`, MayRefuse}, {"patch-things-id", `{"end":null}`, MustAccept}, {"patch-things-id", `{"note":"a"}`, MustAccept},
		{"put-things-id", `{"end":"2026-02-03"}`, MayRefuse}, {"put-kept-id", `{"note":"a","end":"2026-02-03"}`, MustAccept}, {"post-things", `{"start":"2026-02-03"}`, MustAccept},
		{"patch-others-id", `{"start":"2026-02-03"}`, MayRefuse}, {"patch-others-id", `{"start":"2026-02-03","end":"2026-02-04"}`, MustAccept}, {"patch-others-id", `{"start":"2026-02-03","end":null}`, MustAccept},
		{"patch-others-id", `{"bounds":{"min":20}}`, MayRefuse}, {"patch-others-id", `{"bounds":{"min":10}}`, MustAccept}, {"patch-others-id", `{"bounds":{"max":50}}`, MustAccept}, {"patch-others-id", `{"bounds":{"max":49}}`, MayRefuse},
		{"patch-others-id", `{"list":[{"min":20}]}`, MustAccept}, {"post-read-id", `{"start":"2026-02-03"}`, MayRefuse},
	} {
		i := 0
		for c.Operations[i].Slug != row.op {
			i++
		}
		r := c.Operations[i].Body.Shape.Read([]byte(row.body))
		assert.Equal(t, row.want, r.Kind, "%s %s: %v", row.op, row.body, r.Reasons)
		assert.Equal(t, row.want == MayRefuse, r.Unpaired(), "%s %s", row.op, row.body)
	}
}

// hives is a document with an object inside of a resource, of which PATCH takes any part.
const hives = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Queen: {type: object, required: [colour, id], properties: {id: {type: integer, readOnly: true}, colour: {type: string}, year: {type: integer}}}}}, paths: {
  "/hives/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, queen: {$ref: "#/components/schemas/Queen"}}}}}}}},
    patch: {requestBody: {content: {application/merge-patch+json: {schema: {type: object, properties: {name: {type: string}, queen: {type: object, properties: {colour: {type: string}, year: {type: integer}}}}}}}}, responses: {"200": {description: d}}}}}}`

func TestAPartOfAnObjectThatMayNotBeThereYetMayBeRefused(t *testing.T) {
	c, err := Load("t", []byte(hives))
	require.NoError(t, err)
	shape := c.Find("patch-hives-id").Body.Shape
	for body, want := range map[string]Kind{
		`{"queen":{}}`: MayRefuse, `{"queen":{"year":2020}}`: MayRefuse, `{"queen":{"colour":"red"}}`: MustAccept, `{}`: MustAccept, `{"name":"a"}`: MustAccept,
	} {
		r := shape.Read([]byte(body))
		assert.Equal(t, want, r.Kind, "%s: %v", body, r.Reasons)
	}
}

// tracker is a document in which the members of tasks refer to resources by bare names.
const tracker = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /api/projects/: {
    get: {parameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}], responses: {"200": {description: d}}},
    post: {responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  /api/labels: {post: {responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string, format: uuid}}}}}}}}},
  /api/tasks: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {
      project: {type: integer}, projects: {type: integer, maximum: 9}, label: {type: string, format: uuid}, name: {type: string}, order: {type: integer}, plan: {type: integer, description: The id of the project.}, rank: {type: integer, description: The identity of the project.}}}}}},
    responses: {"201": {description: d}}}},
  /api/notes: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {label: {type: string}, project: {type: string}}}}}}, responses: {"201": {description: d}}}}}}`

func TestAMemberRefersToAThingByItsBareNameIfItCanHaveItsID(t *testing.T) {
	c, err := Load("t", []byte(tracker))
	require.NoError(t, err)
	resources := func(op string) map[string]string {
		out := map[string]string{}
		for _, p := range c.Find(op).Body.Shape.Schema.Properties {
			out[p.Name] = p.Resource
		}
		return out
	}
	assert.Equal(t, map[string]string{"project": "project", "projects": "", "label": "label", "name": "", "order": "", "plan": "project", "rank": ""}, resources("post-api-tasks"))
	assert.Equal(t, map[string]string{"label": "", "project": ""}, resources("post-api-notes"), "texts say something themselves")

	body := c.Find("post-api-tasks").Body.Shape
	assert.Equal(t, MayRefuse, body.Read([]byte(`{"project":7}`)).Kind)
	assert.Equal(t, MustAccept, body.Read([]byte(`{"order":7}`)).Kind)
}

func TestAPageButTheFirstMayNotBeThere(t *testing.T) {
	c, err := Load("t", []byte(tracker))
	require.NoError(t, err)
	params := c.Find("get-api-projects").Params
	for query, want := range map[string]Kind{`{"page":1}`: MustAccept, `{"page":2}`: MayRefuse, `{"size":2}`: MustAccept} {
		assert.Equal(t, want, params.Read([]byte(`{"query":`+query+`}`)).Kind, query)
	}
}

func TestTheNumbersOfExamplesCountAtAnyDepth(t *testing.T) {
	c, err := Load("t", []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/orders: {post: {requestBody: {content: {application/json: {
  example: {total: 500, lines: [{sku: a, productId: 4, count: 12}, {sku: b, count: 2}], userIds: [3]},
  schema: {type: object, properties: {lines: {type: array, items: {type: object, properties: {sku: {type: string}, count: {type: integer}, weight: {type: integer, example: 7}}}}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	got := map[string]string{}
	for path, n := range c.Operations[0].Body.Usual {
		got[path] = n.String()
	}
	assert.Equal(t, map[string]string{"/total": "500", "/lines/*/count": "2", "/lines/*/weight": "7"}, got)
}

func TestASchemaLeavesAMemberToTheServerOnlyIfItIsOpenAndDoesNotNameIt(t *testing.T) {
	for schema, want := range map[string]bool{
		`{}`: true, `{type: object, properties: {b: {}}}`: true, `{type: object, properties: {a: {}}}`: true, `{properties: {a: {properties: {b: {writeOnly: true}}}}}`: false,
		`{additionalProperties: false}`: false, `{properties: {a: {additionalProperties: false}}}`: false, `{additionalProperties: {type: string}}`: false,
		`{oneOf: [{properties: {c: {}}}, {properties: {a: {properties: {b: {}}}}}]}`: false, `{oneOf: [{properties: {c: {}}}, {properties: {d: {}}}]}`: true,
	} {
		c, err := Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, content: {application/json: {schema: `+schema+`}}}}}}}}`))
		require.NoError(t, err, schema)
		assert.Equal(t, want, c.Operations[0].Responses[0].Media[0].Shape.Schema.Leaves("/a/b"), schema)
	}
	assert.True(t, (*Schema)(nil).Leaves("/a"))
}

// A row of references must not be followed once for each way through it.
func TestManyWaysThroughSchemasAreLookedAtOnce(t *testing.T) {
	for last, ends := range map[string]bool{`{"type":"string"}`: true, `{"$ref":"#/A0"}`: false, `{"$ref":"#/A30"}`: false} {
		var b strings.Builder
		b.WriteString(`{"A":{"type":"object","properties":{"a":{"$ref":"#/A0"}}}`)
		for i := range 60 {
			fmt.Fprintf(&b, `,"A%d":{"type":"object","required":["l","r"],"properties":{"l":{"oneOf":[{"$ref":"#/A%d"},{"$ref":"#/A%d"}]},"r":{"$ref":"#/A%d"}}}`,
				i, i+1, i+1, i+1)
		}
		fmt.Fprintf(&b, `,"A60":%s}`, last)
		doc, err := jsontree.Parse([]byte(b.String()))
		require.NoError(t, err)
		assert.Equal(t, ends, newFinite(doc.Root).at("/A0"), last)
		assert.True(t, newFinite(doc.Root).at("/A"), "what may be left out ends")
	}
}

// Alternatives are each tried, and a circle among them settles nothing early.
func TestACircleAmongAlternativesEndsWhereOneDoes(t *testing.T) {
	doc, err := jsontree.Parse([]byte(`{"A":{"oneOf":[{"$ref":"#/B"},{"type":"string"}]},"B":{"oneOf":[{"$ref":"#/A"},{"$ref":"#/C"}]},"C":{"oneOf":[{"$ref":"#/B"}]}}`))
	require.NoError(t, err)
	for _, name := range []string{"/A", "/B", "/C"} {
		assert.True(t, newFinite(doc.Root).at(name), name)
	}
	f := newFinite(doc.Root)
	assert.True(t, f.at("/A") && f.at("/B") && f.at("/C"))
}

func TestASchemaKnowsWhereItsKeywordsStandAndKeepsNoneThatNobodyAsksFor(t *testing.T) {
	var s Sources
	assert.True(t, s.Empty())
	for i := range 1000 {
		s.set("x-"+strconv.Itoa(i), "/a")
	}
	assert.False(t, s.Empty(), "it has keywords")
	assert.Empty(t, s.list)

	s.set("format", "/a")
	s.set("maxLength", "/a")
	s.set("format", "/b")
	assert.Equal(t, "/b/format", s.Of("format"), "the last place counts")
	assert.Empty(t, s.Of("minLength"))

	less := s.Without("format")
	assert.False(t, less.Has("format"))
	assert.True(t, less.Has("maxLength"))
	assert.True(t, s.Has("format"), "the schema that it was copied from keeps it")
}
