package openapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/schema"
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
	for body, want := range map[string]schema.Kind{
		`{"currency":"EUR"}`:                 schema.MustAccept,
		`{"currency":"QXZ"}`:                 schema.MayRefuse,
		`{"currency":"eur"}`:                 schema.Invalid,
		`{"initials":"QXZ"}`:                 schema.MustAccept,
		`{"opens":"10:00"}`:                  schema.MustAccept,
		`{"opens":"25:00"}`:                  schema.MayRefuse,
		`{"opens":"g4hs8kd2"}`:               schema.MayRefuse,
		`{"days":["2031-12-24"]}`:            schema.MustAccept,
		`{"days":["2031-13-24"]}`:            schema.MayRefuse,
		`{"opens":"10:00","closes":"10:30"}`: schema.MustAccept,
		`{"opens":"10:00","closes":"09:30"}`: schema.MayRefuse,
		`{"state":"open","name":"g4hs8kd2"}`: schema.MustAccept,
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
		assert.Equal(t, schema.MustAccept, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Equal(t, schema.MustAccept, op.Params.Read([]byte(`{"query":{"lang":"xx-nothing"}}`)).Kind)
	guessed := map[string]bool{}
	for _, zone := range []string{"Asia/Tokyo", "nowhere"} {
		list, _ := c.Choices(op, op.Body.Shape.Read([]byte(`{"zone":"`+zone+`"}`)), nil)
		guessed[zone] = list[0].Guessed
	}
	assert.Equal(t, map[string]bool{"Asia/Tokyo": true, "nowhere": false}, guessed, "that a guess is taken says nothing of other texts")
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
		want     schema.Kind
	}{
		{"patch-things-id", `{"end":"2026-02-03"}`, schema.MayRefuse}, {"patch-things-id", `{"end":null}`, schema.MustAccept}, {"patch-things-id", `{"note":"a"}`, schema.MustAccept},
		{"put-things-id", `{"end":"2026-02-03"}`, schema.MayRefuse}, {"put-kept-id", `{"note":"a","end":"2026-02-03"}`, schema.MustAccept}, {"post-things", `{"start":"2026-02-03"}`, schema.MustAccept},
		{"patch-others-id", `{"start":"2026-02-03"}`, schema.MayRefuse}, {"patch-others-id", `{"start":"2026-02-03","end":"2026-02-04"}`, schema.MustAccept}, {"patch-others-id", `{"start":"2026-02-03","end":null}`, schema.MustAccept},
		{"patch-others-id", `{"bounds":{"min":20}}`, schema.MayRefuse}, {"patch-others-id", `{"bounds":{"min":10}}`, schema.MustAccept}, {"patch-others-id", `{"bounds":{"max":50}}`, schema.MustAccept}, {"patch-others-id", `{"bounds":{"max":49}}`, schema.MayRefuse},
		{"patch-others-id", `{"list":[{"min":20}]}`, schema.MustAccept}, {"post-read-id", `{"start":"2026-02-03"}`, schema.MayRefuse},
	} {
		i := 0
		for c.Operations[i].Slug != row.op {
			i++
		}
		r := c.Operations[i].Body.Shape.Read([]byte(row.body))
		assert.Equal(t, row.want, r.Kind, "%s %s: %v", row.op, row.body, r.Reasons)
		assert.Equal(t, row.want == schema.MayRefuse, r.Unpaired(), "%s %s", row.op, row.body)
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
	for body, want := range map[string]schema.Kind{
		`{"queen":{}}`: schema.MayRefuse, `{"queen":{"year":2020}}`: schema.MayRefuse, `{"queen":{"colour":"red"}}`: schema.MustAccept, `{}`: schema.MustAccept, `{"name":"a"}`: schema.MustAccept,
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
	assert.Equal(t, schema.MayRefuse, body.Read([]byte(`{"project":7}`)).Kind)
	assert.Equal(t, schema.MustAccept, body.Read([]byte(`{"order":7}`)).Kind)
}

func TestAPageButTheFirstMayNotBeThere(t *testing.T) {
	c, err := Load("t", []byte(tracker))
	require.NoError(t, err)
	params := c.Find("get-api-projects").Params
	for query, want := range map[string]schema.Kind{`{"page":1}`: schema.MustAccept, `{"page":2}`: schema.MayRefuse, `{"size":2}`: schema.MustAccept} {
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
	assert.True(t, (*schema.Schema)(nil).Leaves("/a"))
}
