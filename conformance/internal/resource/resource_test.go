package resource_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// kinds are resources that the server names, and notes that the client names, beside the
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
	resources, notes := list[0], list[1]
	assert.Equal(t, http.MethodPost, resources.Make.Method)
	assert.False(t, resources.Chosen())
	assert.True(t, notes.Chosen())
	status := func(r *resource.Resource, name string) string {
		if listed := r.ForOthers(c.Find(name)); listed != nil {
			return listed.Status
		}
		return ""
	}
	assert.Equal(t, "403", status(resources, "read"))
	assert.Equal(t, "404", status(resources, "replace"))
	assert.Empty(t, status(resources, "patch"), "nothing is listed")
	assert.Empty(t, status(resources, "drop"), "no credential is needed")
	assert.Empty(t, status(resources, "note"), "of another resource")
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

// operations returns an operation for each line such as "GET /users".
func operations(lines ...string) []*openapi.Operation {
	var out []*openapi.Operation
	for _, line := range lines {
		method, path, _ := strings.Cut(line, " ")
		out = append(out, &openapi.Operation{Method: method, Path: path})
	}
	return out
}

// shown writes a resource in a line.
func shown(r *resource.Resource) string {
	out := r.Path + ":"
	for _, op := range append([]*openapi.Operation{r.Make, r.Read, r.Replace, r.Patch, r.Delete, r.List}, r.Parts...) {
		if op == nil {
			out += " -"
		} else {
			out += " " + op.Method + " " + op.Path
		}
	}
	return out
}

func TestTheOperationsAboutOneThingAreFoundByPathAndMethod(t *testing.T) {
	for want, ops := range map[string][]*openapi.Operation{
		"/users/{id}: POST /users GET /users/{id} PUT /users/{id} PATCH /users/{id} DELETE /users/{id} GET /users": operations(
			"GET /users", "POST /users", "GET /users/{id}", "PUT /users/{id}", "PATCH /users/{id}", "DELETE /users/{id}"),
		"/notes/{key}: PUT /notes/{key} - PUT /notes/{key} - - -": operations("PUT /notes/{key}"),
		"/users/{id}: POST /users/ GET /users/{id}/ - - - - POST /users/{id}/mails GET /users/{id}/mails/{n}": operations(
			"POST /users/", "GET /users/{id}/", "POST /users/{id}/mails", "GET /users/{id}/mails/{n}", "GET /usersandmore")[:4],
	} {
		list := resource.All(ops)
		if assert.NotEmpty(t, list, want) {
			assert.Equal(t, want, shown(list[0]))
		}
	}
}

func TestAPathOfWhichNothingIsMadeIsNoResource(t *testing.T) {
	assert.Empty(t, resource.All(operations("GET /", "GET /users/{id}", "DELETE /users/{id}", "POST /users/search", "POST /login")))
}

func TestWhatIsPutWithoutACollectionHasAChosenKey(t *testing.T) {
	assert.True(t, resource.All(operations("PUT /notes/{key}"))[0].Chosen())
	assert.False(t, resource.All(operations("PUT /notes/{key}", "POST /notes"))[0].Chosen())
}

func TestThingsBelowAnotherKindAndItsPartsAreToldApart(t *testing.T) {
	list := resource.All(operations("POST /users", "GET /users/{id}", "PUT /users/{id}/photo", "POST /users/{id}/mails", "GET /users/{id}/mails/{n}"))
	users, mails := list[0], list[1]
	assert.True(t, users.Holds(mails))
	assert.False(t, mails.Holds(users))
	assert.False(t, users.Holds(users))
	assert.Equal(t, "/users/{id}/photo", users.PartAt("/users/{id}/photo", "PUT").Path)
	assert.Nil(t, users.PartAt("/users/{id}/photo", "GET"))
	assert.Nil(t, users.PartAt("/users/{id}/mails/{n}", "GET"), "it names a further thing")
}

func TestAThingIsBelowThoseOfItsPathUnlessItCanBeElsewhereToo(t *testing.T) {
	upper, comments := operations("POST /sites", "GET /sites/{s}", "POST /sites/{s}/pages", "GET /sites/{s}/pages/{p}"), operations("POST /sites/{s}/pages/{p}/comments", "GET /sites/{s}/pages/{p}/comments/{c}")
	for _, row := range []struct {
		what string
		ops  []*openapi.Operation
		want []string
	}{
		{"the nearest first", slices.Concat(upper, comments), []string{"/sites/{s}/pages/{p}", "/sites/{s}"}},
		{"the farther one is not made", slices.Concat(upper[1:], comments), []string{"/sites/{s}/pages/{p}"}},
		{"the nearest one is not made", slices.Concat(upper[:2], comments), nil},
		{"the nearest one is not read", slices.Concat(upper[:3], comments), nil},
		{"comments can be made without a page", slices.Concat(upper, comments, operations("POST /comments")), nil},
		{"comments can be put below a site", slices.Concat(upper, comments, operations("PUT /sites/{s}/comments/{c}")), nil},
		{"clients choose the key", slices.Concat(upper, comments[1:], operations("PUT /sites/{s}/pages/{p}/comments/{c}")), nil},
		{"what is below a comment is no other place", slices.Concat(upper, comments, operations("POST /sites/{s}/pages/{p}/comments/{c}/comments")), []string{"/sites/{s}/pages/{p}", "/sites/{s}"}},
	} {
		list := resource.All(row.ops)
		i := slices.IndexFunc(list, func(r *resource.Resource) bool { return r.Path == "/sites/{s}/pages/{p}/comments/{c}" })
		if !assert.GreaterOrEqual(t, i, 0, row.what) {
			continue
		}
		var got []string
		for _, above := range list[i].Above {
			got = append(got, above.Path)
		}
		assert.Equal(t, row.want, got, row.what)
	}
}

func TestAThingIsChangedByItsOwnOperationsAndByWhatIsDoneWithIt(t *testing.T) {
	r := resource.All(operations("POST /pages", "GET /pages/{p}", "DELETE /pages/{p}", "PATCH /pages/{p}", "POST /pages/{p}/publish", "POST /pages/{p}/dryRun", "POST /pages/{p}/preview", "POST /pages/{p}/invalidate", "POST /pages/{p}/latest", "GET /pages/{p}/size"))[0]
	var got []string
	for _, op := range r.Writes() {
		got = append(got, op.Method+" "+op.Path)
	}
	assert.Equal(t, []string{"PATCH /pages/{p}", "DELETE /pages/{p}", "POST /pages/{p}/publish", "POST /pages/{p}/invalidate", "POST /pages/{p}/latest"}, got)
}

const referring = `{openapi: 3.1.0, info: {title: t, version: "1"},
  components: {schemas: {Order: {type: object, required: [customer_id], properties: {customer_id: {type: string}, note: {type: string}}}}}, paths: {
  /customers: {post: {operationId: add, responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}},
  "/customers/{customerId}": {parameters: [{name: customerId, in: path, required: true, schema: {type: string}}], get: {operationId: read, responses: {"200": {description: d}}}},
  "/customers/{customerId}/visits": {parameters: [{name: customerId, in: path, required: true, schema: {type: string}}],
    post: {operationId: visit, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}, responses: {"201": {description: d}}}},
  /orders: {post: {operationId: order, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}, responses: {"201": {description: d}}}},
  /notes: {post: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {customer: {type: string}, note: {type: string}}}}}}, responses: {"201": {description: d}}}}}}`

func TestAPostElsewhereNamesAThingByTheNameOfAMember(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(referring))
	require.NoError(t, err)
	_, c = resource.Analyse(c)
	customers := resource.All(c.Operations)[0]
	if place := customers.NamedBy(c.Find("order")); assert.NotNil(t, place) {
		assert.Equal(t, "/customer_id", place.Path)
	}
	for op, why := range map[string]string{"visit": "its path names the customer", "note": "it has no key", "add": "it makes one", "read": "it has no body"} {
		assert.Nil(t, customers.NamedBy(c.Find(op)), why)
	}
}

func TestASearchIsFoundByItsPathAndByTheFormOfWhatItLists(t *testing.T) {
	text := &schema.Schema{Types: []string{"string"}}
	of := func(names ...string) *schema.Schema {
		out := &schema.Schema{Types: []string{"object"}, Pointer: strings.Join(names, " ")}
		for _, name := range names {
			out.Properties = append(out.Properties, &schema.Property{Name: name, Schema: text})
		}
		return out
	}
	for _, row := range []struct {
		what, line, key string
		item            *schema.Schema
		want            bool
	}{
		{"beside the things", "GET /users/search", "id", of("id", "name"), true},
		{"with a criterion in its name", "GET /users/findByName", "id", of("id", "name"), true},
		{"of alternatives that have the members", "GET /users/search", "id", &schema.Schema{OneOf: []*schema.Schema{of("id", "name", "a"), of("id", "name", "b")}}, true},
		{"of what is deleted", "GET /users/trash", "id", of("id", "name"), false},
		{"of other things", "GET /users/search", "id", of("id", "score"), false},
		{"without keys", "GET /users/search", "", of("id", "name"), false},
		{"of all kinds", "GET /search", "id", of("id", "name"), false},
		{"that changes something", "POST /users/search", "id", of("id", "name"), false},
	} {
		ops := operations("POST /users", "GET /users/{id}", "DELETE /users/{id}", row.line)
		ops[1].Responses = []*openapi.Response{{Status: "200", Media: []openapi.Media{{Type: "application/json", Shape: &schema.Shape{Schema: of("id", "name")}}}}}
		search := ops[3]
		search.Listing = &openapi.Listing{Item: row.item, Key: row.key}
		assert.Equal(t, row.want, resource.All(ops)[0].Searches(search), row.what)
	}
}

// replaceable is a document with a PUT of resources.
const replaceable = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /things: {post: {operationId: add, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}, responses: {"201": {description: d}}}},
  "/things/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: read, responses: {"200": {description: d}}},
    put: {operationId: replace, SUMMARY, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/PUT"}}}}, responses: {"200": {description: d}}}}},
  components: {schemas: {
    New: {type: object, required: [name, secret], properties: {name: {type: string}, note: {type: string}, secret: {type: string, writeOnly: true}}},
    Changes: {type: object, properties: {name: {type: string}, note: {type: string}}},
    Some: {type: object, required: [note], properties: {name: {type: string}, note: {type: string}}},
    Whole: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}}},
    Kept: {type: object, required: [name], properties: {name: {type: string}, note: {type: string, description: "If it is not given, the old note remains."}}},
    Made: {type: object, required: [name], properties: {name: {type: string}, on: {type: boolean}, state: {enum: [a, b]}, size: {type: integer, default: 1}, ownerId: {type: string}, at: {type: string, readOnly: true}}}}}}`

func TestAPutHasTheWholeOfAThingIfItRequiresWhatMakesIt(t *testing.T) {
	for _, c := range []struct {
		schema, summary string
		whole           bool
	}{
		{"New", "summary: Replaces a thing.", true}, {"Whole", "summary: x", true}, {"Kept", "summary: x", true}, {"Changes", "summary: x", false}, {"Some", "summary: x", false}, {"Made", "summary: x", false},
		{"New", "summary: Updates the members that are given and leaves the others unchanged.", true}, {"New", "description: A partial update.", true}, {"New", "description: Omitted members keep their values.", true},
	} {
		d, err := openapi.Load("d.yaml", []byte(strings.NewReplacer("SUMMARY", c.summary, "schemas/PUT", "schemas/"+c.schema).Replace(replaceable)))
		require.NoError(t, err)
		assert.Equal(t, c.whole, resource.All(d.Operations)[0].ReplacesWhole(), "%s, %s", c.schema, c.summary)
	}
}
