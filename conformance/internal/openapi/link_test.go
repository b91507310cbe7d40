package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/pattern"
)

// circle is a document of schemas that all lead to each other.
func circle(schemas int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{` +
		`"schema":{"$ref":"#/components/schemas/S0"}}}},"responses":{"200":{"description":"ok"}}}}},"components":{"schemas":{`)
	for i := range schemas {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"S%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/S%d"},"other":{"anyOf":[{"$ref":"#/components/schemas/S%d"},{"type":"null"}]},"n":{"type":"integer","maximum":%d}}}`,
			i, (i+1)%schemas, i*7%schemas, i)
	}
	b.WriteString("}}}")
	return []byte(b.String())
}

func TestReferencesThatAreLinkedJudgeAllTheWayDown(t *testing.T) {
	c, err := Load("circle.json", circle(50))
	require.NoError(t, err)
	shape := c.Operations[0].Body.Shape
	at := func(value string, deep int) Kind {
		return shape.Read([]byte(strings.Repeat(`{"next":`, deep) + value + strings.Repeat("}", deep))).Kind
	}
	for deep := range 60 {
		assert.NotEqual(t, Invalid, at(fmt.Sprintf(`{"n":%d}`, deep%50), deep), deep)
		assert.Equal(t, Invalid, at(fmt.Sprintf(`{"n":%d}`, deep%50+1), deep), deep)
	}
	assert.Equal(t, Invalid, at(`{"other":{"next":{"next":5}}}`, 3))
}

// The library compiles what a schema leads to in one piece, in quadratic time.
// Each is compiled alone, so that its list holds no other.
func TestASchemaIsCompiledWithoutWhatItRefersTo(t *testing.T) {
	c, err := Load("circle.json", circle(50))
	require.NoError(t, err)
	units := c.Operations[0].Body.Shape.compiler.units[Requests]
	one, err := units.Load(strings.TrimSuffix(units.URL("/components/schemas/S0"), "#"))
	require.NoError(t, err)
	next := one.(map[string]any)["properties"].(map[string]any)["next"].(map[string]any)["$ref"].(string)
	stands, err := units.Load(next)
	require.NoError(t, err)
	assert.Equal(t, true, stands)
	target, ok := units.target(next + "#")
	assert.True(t, ok)
	assert.Equal(t, units.URL("/components/schemas/S1"), target)
}

func TestAPatternThatADocumentRepeatsIsCompiledOnce(t *testing.T) {
	known := patterns{kept: map[string]*pattern.Pattern{}}
	first, err := decides.engine(&known)("^a+$")
	require.NoError(t, err)
	again, err := fails.engine(&known)("^a+$")
	require.NoError(t, err)
	assert.Same(t, first.(matcher).Pattern, again.(matcher).Pattern)

	for i := range 2 * mostPatterns {
		_, err := known.compile(fmt.Sprint("b", i))
		require.NoError(t, err)
	}
	_, err = known.compile(strings.Repeat("c", longestPattern+1))
	require.NoError(t, err)
	assert.Len(t, known.kept, mostPatterns, "a server cannot fill the memory with values of format regex")
	assert.NotContains(t, known.kept, strings.Repeat("c", longestPattern+1))
}
