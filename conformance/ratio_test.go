package conformance

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// collections is a document of so many collections, each with five operations and
// schemas of its own.
func collections(n int) []byte {
	var paths, schemas strings.Builder
	for i := range n {
		one := strings.NewReplacer("thing", fmt.Sprintf("thing%d", i), "Thing", fmt.Sprintf("Thing%d", i))
		_, _ = one.WriteString(&paths, `
  /things:
    post: {requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}
    get: {parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}}
    put: {requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'200': {description: d}, '404': {description: d}}}
    delete: {responses: {'204': {description: d}, '404': {description: d}}}`)
		_, _ = one.WriteString(&schemas, `
    Thing: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string, minLength: 1, maxLength: 40}, kind: {enum: [a, b]}}}`)
	}
	return []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:" + paths.String() + "\ncomponents:\n  schemas:" + schemas.String() + "\n")
}

// spent is what it costs to read a document of so many collections and to make its cases
// and find out what they test. What is allocated is no matter of the machine's load.
func spent(t *testing.T, n int) (bytes, cases int) {
	t.Helper()
	document := collections(n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := setUp(Config{Spec: document, SpecName: "many.yaml", Effort: "smoke"})
	require.NoError(t, err)
	require.NoError(t, s.fill(t.Context()))
	s.judge.Cover(s.cases)
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc), len(s.cases)
}

func TestAnOperationOfALargeDocumentCostsNoMoreThanOneOfASmallOne(t *testing.T) {
	sample.Slow(t)
	few, casesOfFew := spent(t, 5)
	many, casesOfMany := spent(t, 50)
	assert.Equal(t, 10*casesOfFew, casesOfMany)
	assert.Less(t, many, 10*few*5/4, "%d MB for 25 operations, %d MB for 250", few>>20, many>>20)
}
