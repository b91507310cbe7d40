package resource_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// kinds are things that the server names, and notes that the client names, beside the
// path /. A thing of another principal is forbidden, a note not found.
const kinds = `{openapi: 3.1.0, info: {title: t, version: "1"}, security: [{key: []}],
  components: {securitySchemes: {key: {type: http, scheme: bearer}}}, paths: {
  /: {get: {operationId: root, responses: {"200": {description: d}}}},
  /things: {post: {operationId: add, responses: {"201": {description: d}}}},
  "/things/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: read, responses: {"200": {description: d}, "403": {description: d}, "404": {description: d}}},
    put: {operationId: replace, responses: {"200": {description: d}, "404": {description: d}}},
    patch: {operationId: patch, responses: {"200": {description: d}}},
    delete: {operationId: drop, security: [], responses: {"204": {description: d}, "403": {description: d}}}},
  "/notes/{key}": {parameters: [{name: key, in: path, required: true, schema: {type: string}}],
    get: {operationId: note, responses: {"200": {description: d}, "404": {description: d}}},
    put: {operationId: write, responses: {"200": {description: d}, "404": {description: d}}}}}}`

func TestResourcesAreFoundByPathAndMethod(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(kinds))
	require.NoError(t, err)
	list := resource.All(c.Operations)
	require.Len(t, list, 2)
	things, notes := list[0], list[1]
	assert.Equal(t, http.MethodPost, things.Make.Method)
	assert.False(t, things.Chosen())
	assert.True(t, notes.Chosen())
	status := func(r *resource.Resource, name string) string {
		if listed := r.ForOthers(c.Find(name)); listed != nil {
			return listed.Status
		}
		return ""
	}
	assert.Equal(t, "403", status(things, "read"))
	assert.Equal(t, "404", status(things, "replace"))
	assert.Empty(t, status(things, "patch"), "nothing is listed")
	assert.Empty(t, status(things, "drop"), "no credential is needed")
	assert.Empty(t, status(things, "note"), "of another resource")
	assert.Equal(t, "404", status(notes, "note"))
	assert.Empty(t, status(notes, "write"), "each principal may have a note of that key")
}

const linked = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /openings: {post: {operationId: open, responses: {"STATUS": {description: d, links: {
    read: {operationId: read, parameters: {number: "$response.body#EXPRESSION"}},
    fill: {operationId: fill, parameters: {query.account: "$response.body#EXPRESSION"}}}}}}},
  "/accounts/{number}": {get: {operationId: read, parameters: [{name: number, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d}}}},
  /deposits: {post: {operationId: fill, parameters: [{name: account, in: query, required: true, schema: {type: integer}}], responses: {"204": {description: d}}}}}}`

func TestAThingIsMadeByTheOperationWhoseLinkNamesIt(t *testing.T) {
	found := func(status, expression string) []*resource.Resource {
		c, err := openapi.Load("d.yaml", []byte(strings.NewReplacer("STATUS", status, "EXPRESSION", expression).Replace(linked)))
		require.NoError(t, err)
		return resource.All(c.Operations)
	}
	list := found("201", "/number")
	require.Len(t, list, 1)
	assert.Equal(t, "open", list[0].Make.ID)
	require.Len(t, list[0].Linked, 1)
	assert.Equal(t, "fill", list[0].Linked[0].ID)
	assert.Empty(t, found("200", "/number"), "what a search found was there before")
	assert.Empty(t, found("201", "/accounts/0/number"), "so was an item of a list")
}

const nestedMaker = `{openapi: 3.1.0, info: {title: t, version: "1"},
  components: {schemas: {Loan: {type: object, required: [id], properties: {id: {type: string}, days: {type: integer}}}, Item: {type: object, properties: {sku: {type: string}}}}}, paths: {
  "/books/{bookId}/loans": {parameters: [{name: bookId, in: path, required: true, schema: {type: string}}],
    get: {operationId: loans, responses: {"200": {description: d}}},
    post: {operationId: lend, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Loan"}}}}}}},
  "/carts/{cartId}/items": {parameters: [{name: cartId, in: path, required: true, schema: {type: string}}],
    post: {operationId: put, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Loan"}}}}}}},
  "/loans/{loanId}": {parameters: [{name: loanId, in: path, required: true, schema: {type: string}}],
    get: {operationId: loan, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Loan"}}}}}},
    put: {operationId: change, responses: {"200": {description: d}}}},
  "/items/{itemId}": {parameters: [{name: itemId, in: path, required: true, schema: {type: string}}],
    get: {operationId: item, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}}}}}}`

func TestAThingIsMadeInACollectionOfItsNameBelowAnother(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(nestedMaker))
	require.NoError(t, err)
	list := resource.All(c.Operations)
	require.Len(t, list, 1, "what is put into a cart is no item of the catalogue")
	assert.Equal(t, c.Find("lend"), list[0].Make, "not the PUT")
	assert.Equal(t, c.Find("loans"), list[0].List)
}
