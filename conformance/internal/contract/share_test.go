package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
)

// circle is a document whose schemas lead to each other without end.
func circle(t *testing.T, operations int) *contract.Contract {
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
	c, err := contract.Load("circle.yaml", []byte(b.String()))
	require.NoError(t, err)
	require.Len(t, c.Operations, operations)
	return c
}

func TestTheBodiesOfALargeDocumentShareWhatIsWalkedAndNoOperationIsLost(t *testing.T) {
	for _, operations := range []int{1, 40, 150, 1000} {
		c, walked := circle(t, operations), 0
		for _, op := range c.Operations {
			assert.Positive(t, op.Body.Shape.Size)
			walked += op.Body.Shape.Size + op.Responses[0].Media[0].Shape.Size
		}
		assert.LessOrEqual(t, walked, 800+30*operations)
		assert.Len(t, c.LeftOut, 2*operations, "each body that is cut is named")
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
	s := circle(t, 150).Operations[149].Body.Shape.Schema
	last := s.Property("last")
	require.NotNil(t, last)
	assert.True(t, last.Required)
	at := last.Schema.Property("at")
	require.NotNil(t, at)
	assert.Equal(t, "date-time", at.Schema.Format)
	assert.Nil(t, last.Schema.Property("by"), "what may be left out is left out")
}
