package schema

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// circular is the shape of the first of so many schemas that all lead to each other.
func circular(t *testing.T, schemas int) *Shape {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"components":{"schemas":{`)
	for i := range schemas {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"S%d":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/S%d"},"other":{"anyOf":[{"$ref":"#/components/schemas/S%d"},{"type":"null"}]},"n":{"type":"integer","maximum":%d}}}`,
			i, (i+1)%schemas, i*7%schemas, i)
	}
	b.WriteString("}}}")
	doc, err := jsontree.Parse([]byte(b.String()))
	require.NoError(t, err)
	same := func(pointer string) string { return pointer }
	shape, err := NewDocument(doc.Root, "3.1.0", Names{Clause: same, Of: same}, 0).Shape(Requests, "/components/schemas/S0", MaxSchemas)
	require.NoError(t, err)
	return shape
}

func TestReferencesThatAreLinkedJudgeAllTheWayDown(t *testing.T) {
	shape := circular(t, 50)
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
	units := circular(t, 50).document.units[Requests]
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

	for i := range 2 * maxPatterns {
		_, err := known.compile(fmt.Sprint("b", i))
		require.NoError(t, err)
	}
	_, err = known.compile(strings.Repeat("c", longestPattern+1))
	require.NoError(t, err)
	assert.Len(t, known.kept, maxPatterns, "a server cannot fill the memory with values of format regex")
	assert.NotContains(t, known.kept, strings.Repeat("c", longestPattern+1))
}

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

func TestASchemaKnowsWhereItsKeywordsStandAndKeepsNoneThatNobodyAsksFor(t *testing.T) {
	var s Sources
	assert.True(t, s.Empty())
	for i := range 1000 {
		s.set("x-"+strconv.Itoa(i), "/a")
	}
	assert.False(t, s.Empty(), "it has keywords")
	assert.Empty(t, s.list)

	s.set("format", "/a")
	s.set("maxLength", "/a")
	s.set("format", "/b")
	assert.Equal(t, "/b/format", s.Of("format"), "the last place counts")
	assert.Empty(t, s.Of("minLength"))

	less := s.Without("format")
	assert.False(t, less.Has("format"))
	assert.True(t, less.Has("maxLength"))
	assert.True(t, s.Has("format"), "the schema that it was copied from keeps it")
}
