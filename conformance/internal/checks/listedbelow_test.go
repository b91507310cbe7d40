package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/plan"
)

const shelvesOfBooks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /shelves: {post: {operationId: addShelf, responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/shelves/{shelfId}": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getShelf, responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}},
  "/shelves/{shelfId}/books": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}],
    post: {operationId: addBook, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}},
      responses: {"201": {description: d, content: {application/json: {schema: &book {type: object, properties: {id: {type: integer}, title: {type: string}}}}}}}},
    get: {operationId: listBooks, parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}],
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {total: {type: integer}, items: {type: array, items: *book}}}}}}}}},
  "/shelves/{shelfId}/books/{bookId}": {parameters: [{name: shelfId, in: path, required: true, schema: {type: integer}}, {name: bookId, in: path, required: true, schema: {type: integer}}],
    get: {operationId: getBook, responses: {"200": {description: d, content: {application/json: {schema: *book}}}}}}}}`

// Of a list of everything, oldest first, the last page alone shows what was made last. Nothing
// else is made meanwhile.
func TestTheLastPageBelowAnotherThingIsRead(t *testing.T) {
	t.Parallel()
	p := plannedFor(t, shelvesOfBooks)
	const id = "get-shelves-shelfid-books/sequence/listed-below/last/0"
	assert.Equal(t, "addShelf addBook addShelf' listBooks' listBooks'", story(built(t, p, id)))
	one := p.Find(id)
	require.NotNil(t, one)
	assert.True(t, one.Class.Alone)
	steps := built(t, p, id)
	require.Len(t, steps, 5)
	assert.Nil(t, steps[3].Follow)
	assert.Equal(t, &plan.Follow{Last: true}, steps[4].Follow)
}
