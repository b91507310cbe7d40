package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/plan"
)

// shelves is a document with things below others: boxes and labels are listed and have no GET
// of one, and what is asked is no thing.
const shelves = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {
  Shelf: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}},
  NewBox: {type: object, required: [title], properties: {title: {type: string, maxLength: 60}, colour: {type: string, enum: [red, blue]}}},
  Box: {type: object, properties: {id: {type: string}, title: {type: string}, colour: {type: string, enum: [red, blue]}}}}}, paths: {
  /shelves: {post: {operationId: shelve, requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shelf"}}}}}}},
  "/shelves/{shelf}": {parameters: [&shelf {name: shelf, in: path, required: true, schema: {type: string}}],
    get: {operationId: shelf, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shelf"}}}}}},
    delete: {operationId: clear, responses: {"204": {description: d}}}},
  "/shelves/{shelf}/boxes": {parameters: [*shelf],
    get: {operationId: boxes, parameters: [{name: colour, in: query, schema: {type: string, enum: [red, blue]}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}],
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Box"}}}}}}},
    post: {operationId: box, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewBox"}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Box"}}}}}}},
  "/shelves/{shelf}/move": {parameters: [*shelf], post: {operationId: move, requestBody: {content: {application/json: {schema: {type: object, properties: {to: {type: string}}}}}}, responses: {"200": {description: d}}}},
  "/shelves/{shelf}/labels/{label}": {parameters: [*shelf, {name: label, in: path, required: true, schema: {type: string}}],
    put: {operationId: label, requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"204": {description: d}}}},
  "/shelves/{shelf}/note": {parameters: [*shelf],
    put: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"204": {description: d}}}}}}`

// shelved makes the plan for that document.
func shelved(t *testing.T) *plan.Plan {
	t.Helper()
	return plannedFor(t, shelves)
}

// operationsOf writes the operations of a case.
func operationsOf(steps []plan.Step) string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Message.Op.ID)
	}
	return strings.Join(out, " ")
}

func TestAThingIsDeletedAfterEachOperationThatFillsIt(t *testing.T) {
	t.Parallel()
	p := shelved(t)
	var got []string
	for _, c := range p.Cases {
		if strings.HasPrefix(c.ID, "delete-shelves-shelf/sequence/filled/") {
			steps := built(t, p, c.ID)
			assert.True(t, steps[1].Aside, c.ID)
			got = append(got, operationsOf(steps))
		}
	}
	assert.ElementsMatch(t, []string{"shelve box clear", "shelve label clear", "shelve note clear"}, got, "a move puts nothing below it")
}

func TestAListBelowAThingIsFilledByThePostOfItsPath(t *testing.T) {
	t.Parallel()
	p := shelved(t)
	filtered := built(t, p, "get-shelves-shelf-boxes/sequence/filtered/colour/values/0")
	assert.True(t, strings.HasPrefix(operationsOf(filtered), "box box box boxes"), operationsOf(filtered))
	assert.Equal(t, []string{"red", "blue", "-"}, append(given(filtered, "box", "colour")[:2:2], asked(filtered, "boxes", "colour")[0]))
	assert.True(t, filtered[0].Own, "on a shelf of its own")
	for _, s := range filtered[1:] {
		assert.True(t, s.About)
	}
	paged := built(t, p, "get-shelves-shelf-boxes/sequence/paged/pages/0")
	assert.True(t, strings.HasPrefix(operationsOf(paged), "box box box boxes boxes"), operationsOf(paged))
}
