package openapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tracker is a document in which the members of tasks refer to things by bare names.
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
	things := func(op string) map[string]string {
		out := map[string]string{}
		for _, p := range c.Find(op).Body.Shape.Schema.Properties {
			out[p.Name] = p.Thing
		}
		return out
	}
	assert.Equal(t, map[string]string{"project": "project", "projects": "", "label": "label", "name": "", "order": "", "plan": "project", "rank": ""}, things("post-api-tasks"))
	assert.Equal(t, map[string]string{"label": "", "project": ""}, things("post-api-notes"), "texts say something themselves")

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
