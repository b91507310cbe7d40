package openapi_test

import (
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
