package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// A row of references must not be followed once for each way through it.
func TestManyWaysThroughSchemasAreLookedAtOnce(t *testing.T) {
	for last, ends := range map[string]bool{`{"type":"string"}`: true, `{"$ref":"#/A0"}`: false, `{"$ref":"#/A30"}`: false} {
		var b strings.Builder
		b.WriteString(`{"A":{"type":"object","properties":{"a":{"$ref":"#/A0"}}}`)
		for i := range 60 {
			fmt.Fprintf(&b, `,"A%d":{"type":"object","required":["l","r"],"properties":{"l":{"oneOf":[{"$ref":"#/A%d"},{"$ref":"#/A%d"}]},"r":{"$ref":"#/A%d"}}}`,
				i, i+1, i+1, i+1)
		}
		fmt.Fprintf(&b, `,"A60":%s}`, last)
		doc, err := jsontree.Parse([]byte(b.String()))
		require.NoError(t, err)
		assert.Equal(t, ends, newFinite(doc.Root).at("/A0"), last)
		assert.True(t, newFinite(doc.Root).at("/A"), "what may be left out ends")
	}
}

// Alternatives are each tried, and a circle among them settles nothing early.
func TestACircleAmongAlternativesEndsWhereOneDoes(t *testing.T) {
	doc, err := jsontree.Parse([]byte(`{"A":{"oneOf":[{"$ref":"#/B"},{"type":"string"}]},"B":{"oneOf":[{"$ref":"#/A"},{"$ref":"#/C"}]},"C":{"oneOf":[{"$ref":"#/B"}]}}`))
	require.NoError(t, err)
	for _, name := range []string{"/A", "/B", "/C"} {
		assert.True(t, newFinite(doc.Root).at(name), name)
	}
	f := newFinite(doc.Root)
	assert.True(t, f.at("/A") && f.at("/B") && f.at("/C"))
}
