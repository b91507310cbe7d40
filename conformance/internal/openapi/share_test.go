package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

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
	for _, operations := range []int{1, 40, 300} {
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
