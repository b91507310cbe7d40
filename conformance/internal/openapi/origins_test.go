package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

// tied is a document in which a link of the first operation names the second one.
const tied = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /users: {post: {operationId: add, responses: {"STATUS": {description: d, links: {it: {TARGET, parameters: {NAME: "EXPRESSION"}}}}}}},
  "/users/{id}/mails": {get: {operationId: mails, parameters: [
    {name: id, in: path, required: true, schema: {type: integer}}, {name: id, in: query, schema: {type: integer}}, {name: from, in: query, schema: {type: integer}}],
    responses: {"200": {description: d}}}}}}`

// origins returns the origins that the link gives to the second operation.
func origins(t *testing.T, status, target, name, expression string) []openapi.Origin {
	t.Helper()
	text := strings.NewReplacer("STATUS", status, "TARGET", target, "NAME", name, "EXPRESSION", expression).Replace(tied)
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err)
	return c.Find("mails").Origins
}

func TestALinkSaysWhichPartOfAnExchangeGivesAValue(t *testing.T) {
	for expression, want := range map[string]string{
		"$response.body#/id":          "/id",
		"$response.header.Location":   "Location",
		"$request.body#/name":         "request/name",
		"$request.query.page":         "request.query/page",
		"$request.header.X-Org.Units": "request.header/X-Org.Units",
	} {
		list := origins(t, "201", "operationId: mails", "path.id", expression)
		require.Len(t, list, 1, expression)
		assert.Equal(t, want, list[0].What)
		assert.Equal(t, "path/id", list[0].Place)
		assert.Equal(t, "/paths/~1users/post/responses/201/links/it", list[0].Link)
	}
	for _, expression := range []string{"$url", "$statusCode", "7", ""} {
		assert.Empty(t, origins(t, "201", "operationId: mails", "path.id", expression), expression)
	}
}

func TestALinkNamesAParameterOfOneSection(t *testing.T) {
	target := "operationRef: '#/paths/~1users~1{id}~1mails/get'"
	for name, want := range map[string]string{"path.id": "path/id", "query.id": "query/id", "id": "path/id", "from": "query/from"} {
		list := origins(t, "201", target, name, "$response.body#/id")
		require.Len(t, list, 1, name)
		assert.Equal(t, want, list[0].Place)
		assert.Equal(t, !strings.HasPrefix(want, "path/"), list[0].Optional)
	}
	assert.Empty(t, origins(t, "201", target, "header.id", "$response.body#/id"))
	assert.Empty(t, origins(t, "404", target, "id", "$response.body#/id"), "what is refused makes nothing")
}

func TestOnlyWhatAnAnswerMayHaveMadeIsMade(t *testing.T) {
	made := func(status, expression string) bool {
		return origins(t, status, "operationId: mails", "id", expression)[0].Makes()
	}
	assert.True(t, made("201", "$response.body#/id"))
	assert.True(t, made("202", "$response.header.Location"))
	assert.False(t, made("200", "$response.body#/id"), "a search makes nothing")
	assert.False(t, made("201", "$response.body#/found/0/id"))
	assert.False(t, made("201", "$request.body#/id"), "the client names it")
}

func TestTheRequestBodyOfALinkGivesMembers(t *testing.T) {
	for body, want := range map[string]map[string]string{
		`{cart: "$response.body#/code", note: "for {$request.body#/owner}", kind: full}`: {"/cart": "/code"},
		`"$response.body"`:                         {"/cart": "/cart", "/note": "/note"},
		`"$request.body#/order"`:                   {"/cart": "request/order/cart", "/note": "request/order/note"},
		`{other: "$response.body#/code", cart: 1}`: {},
	} {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /carts: {post: {operationId: open, responses: {"201": {description: d, links: {pay: {operationId: pay, requestBody: `+body+`}}}}}},
  /payments: {post: {operationId: pay, requestBody: {content: {application/json: {schema: {type: object, required: [cart], properties: {cart: {type: string}, note: {type: string}}}}}},
    responses: {"202": {description: d}}}}}}`))
		require.NoError(t, err)
		got := map[string]string{}
		for _, o := range c.Find("pay").Origins {
			got[o.Place] = o.What
			assert.Equal(t, o.Place != "/cart", o.Optional)
		}
		assert.Equal(t, want, got, body)
	}
}

func TestADuplicateKeyCostsTheOperationsThatNeedItsValue(t *testing.T) {
	for name, row := range map[string]struct {
		document, left string
	}{
		"of an operation": {`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    get:
      responses: {'200': {description: d}}
      responses: {'204': {description: d}}
`, `GET /b: /paths/~1b/get/responses: duplicate key "responses", first at 9:7: keep one`},
		"of a schema": {`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}
      responses: {'200': {description: d}}
components:
  schemas:
    B: {type: object}
    B: {type: string}
`, `POST /b: /components/schemas/B: duplicate key "B", first at 13:5: keep one`},
		"in Swagger 2.0": {`
swagger: '2.0'
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    get:
      responses: {'200': {description: d}}
      responses: {'204': {description: d}}
`, `GET /b: /paths/~1b/get/responses: duplicate key "responses", first at 9:7: keep one`},
	} {
		t.Run(name, func(t *testing.T) {
			leavesOutB(t, row.document, row.left)
		})
	}
}

// leavesOutB asserts that of the operations of a document only that of /a is left, and why.
func leavesOutB(t *testing.T, document, why string) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	assert.Equal(t, "/a", c.Operations[0].Path)
	assert.Contains(t, c.LeftOut, why)
}

// YAML has values that JSON has not, and tags and aliases of its own.
func TestAValueThatJSONDoesNotHaveCostsTheOperationsThatNeedIt(t *testing.T) {
	for value, why := range map[string]string{".nan": ".nan has no JSON value", "!foo 3": "tag !foo is not supported", "*none": "alias *none without an anchor before it"} {
		leavesOutB(t, `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: {responses: {'200': {description: d}}}
  /b:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: number, maximum: `+value+`}}}}
      responses: {'200': {description: d}}
`, "POST /b: /paths/~1b/post/requestBody/content/application~1json/schema/maximum: "+why)
	}
}

func TestADuplicateKeyThatNothingNeedsIsNamed(t *testing.T) {
	c, err := openapi.Load("d.json", []byte(`{"openapi": "3.1.0", "info": {"title": "t", "title": "u", "version": "1"},
		"paths": {"/a": {"get": {"responses": {"200": {"description": "d"}}}}}}`))
	require.NoError(t, err)
	assert.Equal(t, "t", c.Title)
	assert.Contains(t, c.LeftOut, `/info/title: duplicate key "title": keep one (no operation was left out for it)`)
}

func TestAPathThatIsReferredToInVainIsNamed(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: {$ref: 'nowhere.yaml'}
`
	_, err := openapi.Load("d.yaml", []byte(document))
	assert.ErrorContains(t, err, `every operation of /a: d.yaml:5:7: /paths/~1a/$ref: $ref "nowhere.yaml" leaves the document`)
	c, err := openapi.Load("d.yaml", []byte(document+"  /b: {get: {responses: {'200': {description: d}}}}\n"))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	assert.Contains(t, c.LeftOut[0], "every operation of /a: ")
}

// circle is a document whose schemas lead to each other without end.
func circle(t *testing.T, operations int) *openapi.Contract {
	t.Helper()
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Circle, version: '1'}\ncomponents:\n  schemas:\n")
	for i := range 20 {
		fmt.Fprintf(&b, "    T%d:\n      type: object\n      required: [id, last]\n      properties:\n        id: {type: integer}\n", i)
		for k := range 12 {
			fmt.Fprintf(&b, "        m%d: {$ref: '#/components/schemas/T%d'}\n", k, (i+k+1)%20)
		}
		b.WriteString("        last: {$ref: '#/components/schemas/End'}\n")
	}
	b.WriteString("    End: {type: object, required: [at], properties: {at: {type: string, format: date-time}, by: {type: string}}}\npaths:\n")
	for i := range operations {
		fmt.Fprintf(&b, "  /t%d:\n    post:\n      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/T%d'}}}}\n"+
			"      responses: {'200': {description: taken, content: {application/json: {schema: {$ref: '#/components/schemas/T%d'}}}}}\n", i, i%20, i%20)
	}
	c, err := openapi.Load("circle.yaml", []byte(b.String()))
	require.NoError(t, err)
	require.Len(t, c.Operations, operations)
	return c
}

func TestTheBodiesOfALargeDocumentShareWhatIsWalkedAndNoOperationIsLost(t *testing.T) {
	for _, operations := range []int{1, 40, 120} {
		c, walked := circle(t, operations), 0
		for _, op := range c.Operations {
			assert.Positive(t, op.Body.Shape.Size)
			walked += op.Body.Shape.Size + op.Responses[0].Media[0].Shape.Size
		}
		assert.LessOrEqual(t, walked, 2*400*operations)
		assert.Regexp(t, `^/components/schemas/T\d+: the schema goes deeper than it is tried: it contains itself \(circle.yaml:\d+:\d+\)$`, c.LeftOut[0], "what is cut is named with its place")
		assert.Len(t, c.LeftOut, c.Cut)
		assert.LessOrEqual(t, c.Cut, 20, "and once, however many bodies lead there")
	}
}

func TestBodiesThatReferToOneComponentShareWhatIsWalkedButNotTheirOwnPointer(t *testing.T) {
	c := circle(t, 40)
	a, b := c.Operations[0].Body.Shape.Schema, c.Operations[20].Body.Shape.Schema
	assert.Same(t, a.Properties[0], b.Properties[0])
	assert.Equal(t, "/paths/~1t0/post/requestBody/content/application~1json/schema", a.Pointer)
	assert.Equal(t, "/paths/~1t20/post/requestBody/content/application~1json/schema", b.Pointer)
	assert.Equal(t, "T0", b.Name)
}

// A baseline request that lacks a member because the walk was cut would be refused
// by every server.
func TestWhatABodyCannotDoWithoutIsWalkedHoweverLargeTheDocument(t *testing.T) {
	c := wide(t, 450, 200, nil)
	assert.Positive(t, c.Cut)
	s := c.Operations[449].Body.Shape.Schema
	assert.Less(t, len(s.Properties), 201, "what may be left out is left out")
	last := s.Property("last")
	require.NotNil(t, last)
	assert.True(t, last.Required)
	at := last.Schema.Property("at")
	require.NotNil(t, at)
	assert.Equal(t, "date-time", at.Schema.Format)
}

// wide is a document of so many operations, whose bodies have so many members each.
func wide(t *testing.T, operations, members int, tested func(*openapi.Operation) bool) *openapi.Contract {
	t.Helper()
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Wide, version: '1'}\ncomponents: {schemas: {Wide: {type: object, properties: {")
	for k := range members {
		fmt.Fprintf(&b, "m%d: {type: integer}, ", k)
	}
	b.WriteString("last: {type: object, required: [at], properties: {at: {type: string, format: date-time}}}}}}}\npaths:\n")
	for i := range operations {
		fmt.Fprintf(&b, "  /t%d:\n    post:\n      responses: {'200': {description: taken}}\n"+
			"      requestBody: {required: true, content: {application/json: {schema: {required: [last], allOf: [{$ref: '#/components/schemas/Wide'}]}}}}\n", i)
	}
	c, err := openapi.LoadWith("wide.yaml", []byte(b.String()), openapi.Source{Tested: tested})
	require.NoError(t, err)
	require.Len(t, c.Operations, operations)
	return c
}

// 200 operations without bodies once cut the body of another one to seven schemas.
func TestABodyIsWalkedAsAWholeHoweverManyOtherOperationsThereAre(t *testing.T) {
	for _, operations := range []int{1, 300} {
		c := wide(t, operations, 100, nil)
		assert.Len(t, c.Operations[operations-1].Body.Shape.Schema.Properties, 101)
		assert.Zero(t, c.Cut)
	}
	assert.Len(t, wide(t, 1, 1000, nil).Operations[0].Body.Shape.Schema.Properties, 1001, "a large one too")
}

func TestWhereNotAllFitsWhatIsTestedIsWalkedAsAWhole(t *testing.T) {
	c := wide(t, 450, 200, func(op *openapi.Operation) bool { return op.Path == "/t7" })
	assert.Len(t, c.Operations[7].Body.Shape.Schema.Properties, 201)
	assert.Less(t, len(c.Operations[8].Body.Shape.Schema.Properties), 10)
	assert.NotNil(t, c.Operations[8].Body.Shape.Schema.Property("last"), "another can still be asked to make something")
	assert.Zero(t, c.Cut, "what is not tested is not cut")
}

func TestNoSchemaThatOnlyMemoryHasIsNamed(t *testing.T) {
	for _, version := range []string{"openapi: 3.1.0", "swagger: '2.0'"} {
		c, err := openapi.Load("desk.yaml", []byte(version+"\ninfo: {title: Desk, version: '1'}\npaths:\n  /a/{x}:\n    get:\n      parameters: [{name: x, in: path, required: true, schema: {type: string}, type: string}]\n      responses: {'200': {description: ok}}\n"))
		require.NoError(t, err)
		for pointer, want := range map[string]string{
			"/x-conformance-inputs/get ~1a~1{x}/properties/path/properties/x": "/paths/~1a~1{x}/get",
			"/x-conformance-inputs/~1paths~1~01a~01{x}~1get/properties/data":  "/paths/~1a~1{x}/get",
			"/x-conformance-inputs/anything":                                  "",
		} {
			assert.Equal(t, want, c.Clause(pointer), version)
			assert.NotContains(t, c.Where(pointer), "x-conformance")
		}
	}
}
