package yamltree

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// sameInParts fails a test where a text says something else in parts than whole.
// What the library refuses whole, such as a comment behind an empty block, may
// be read in parts.
func sameInParts(t *testing.T, text string, places bool) {
	t.Helper()
	want, wantErr := parse("f.yaml", []byte(text), sizes{from: math.MaxInt, part: math.MaxInt, whole: math.MaxInt}, false)
	got, err := parse("f.yaml", []byte(text), sizes{whole: math.MaxInt}, false)
	switch {
	case wantErr != nil:
		return
	case err != nil && strings.ContainsAny(text, "!&"):
		return // the library gives the entry behind a tag alone to the tag: YAML does not
	case err != nil:
		t.Fatalf("%q: whole %s, in parts %v", text, want.Root, err)
	case want.Root.String() != got.Root.String():
		t.Fatalf("%q: whole %s, in parts %s", text, want.Root, got.Root)
	case !places:
		return // the library moves those of odd texts
	}
	want.Root.Walk(func(pointer string, v *jsontree.Value) {
		line, col := want.Position(pointer)
		gotLine, gotCol := got.Position(pointer)
		// Where a value is that is not written depends on what follows.
		assert.True(t, v.Kind == jsontree.Null || line == gotLine && col == gotCol, "%q: %s at %d:%d, in parts at %d:%d", text, pointer, line, col, gotLine, gotCol)
		line, col = want.NamePosition(pointer)
		gotLine, gotCol = got.NamePosition(pointer)
		assert.Equal(t, []int{line, col}, []int{gotLine, gotCol}, "%q: name of %s", text, pointer)
	})
}

func partTexts(t testing.TB) []string {
	out := []string{
		"a: 1\nb:\n  c: 2\n  d: [x, y]\ne: |\n  # no comment\n  text\n\n# one\nf:\n- 1\n- g: 2\n  h: 3\n",
		"---\n# c\na: &x {b: 1}\nc: *x\nd:\n  e: *x\n",
		"a: \"x\nb: y\"\n", "a: [1,\nb: 2]\n", "a: x\n b: y\n", "a:\n  b\n  c: d\n", "a: |\n  x\n # c\nb: 1\n",
		"a: >-\n\n  x\n\n y: 1\nb: 2\n", "a: 1\na: 2\n", "a:\n  b: 1\n  b: 2\n", "a: 1\n---\nb: 2\n", "%YAML 1.2\n---\na: 1\n",
		"a: *x\nb: &x 1\n", "? a\n: b\n", "a:\n\tb: 1\n", "  a: 1\n  b: 2\n", "  a: 1\n b: 2\n", "a: 1\n  \nb: 2",
		"'a': 1\n\"b\": 2\n'c d':\n  'e': !!str 3\n", "200: x\ntrue: y\n~: z\n", "a: b: c\n", "a\n", "- a\n- b\n",
		"a:\n    b: 1\n\n    # c\n    d:\n        e: 'it''s\n          more'\n", "a: # c\n  b: 1\n", "a: &x\n  b: 1\nc: *x\n",
		"a: !!map\n  b: 1\n", "<<: {a: 1}\n", "a:\r\n  b: 1\r\nc: 2\r\n", "a: |2\n   x\nb: 1\n", "a:\n- b: 1\n  c: 2\n-\n  d: 3\ne: 4\n",
		"a: 'x'  # c\nb: x#y\n", "a: 1 \n...\n", "a: \"\\\n  x\"\nb: 2\n", "{a: 1,\nb: 2}\n", "a: ''\nb:\n\nc:\n  # only\nd: 1\n", "0:\n- \n0:", "0: \n\r10",
	}
	for _, name := range []string{"../mutators/testdata/orders.yaml", "../mutators/testdata/keywords.yaml", "../../../spec/openapi.yaml", "../../../spec/requirements.yaml"} {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		out = append(out, string(b))
	}
	return out
}

func TestATextSaysTheSameInPartsAsWhole(t *testing.T) {
	for _, text := range partTexts(t) {
		sameInParts(t, text, true)
	}
}

func FuzzATextSaysTheSameInPartsAsWhole(f *testing.F) {
	for _, text := range partTexts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<12 {
			sameInParts(t, text, false)
		}
	})
}

func TestWhatCannotBeTakenApartIsRefusedByItsSize(t *testing.T) {
	small := sizes{from: 10, part: 10, whole: 40}
	_, err := parse("f.yaml", []byte("a:\n  b: 1\nc: ["+strings.Repeat("1, ", 40)+"1]\n"), small, false)
	assert.ErrorContains(t, err, "f.yaml:3:1: a value of 127 bytes in one piece")
	_, err = parse("f.yaml", []byte("- "+strings.Repeat("x", 100)), small, false)
	assert.ErrorContains(t, err, "f.yaml:1:1: 102 bytes that are no block mapping")
	_, err = parse("f.yaml", []byte("a: 1\n"+strings.Repeat("# comment\n", 100)+"b: 2\n"), small, false)
	assert.NoError(t, err, "comments between entries are no part of them")
}

func TestTooManyValuesAreRefusedInBothFormats(t *testing.T) {
	_, err := Parse("f.json", []byte("["+strings.Repeat("0,", maxNodes)+"0]"))
	assert.ErrorContains(t, err, "more than 1500000 values: split the document")
	_, err = Parse("f.yaml", []byte("a: &x ["+strings.Repeat("0,", 999)+"0]\nb: ["+strings.Repeat("*x,", 1500)+"*x]\n"))
	assert.ErrorContains(t, err, "more than 1500000 nodes")
}

// A large document is read for the places of a few complaints: none of them is
// kept as text.
func TestPlacesOfJSONAreThoseOfTheTextWhereverTheyAreAskedFor(t *testing.T) {
	tree, err := Parse("f.json", []byte("{\n  \"a\": [1,\n    {\"é\": 2, \"b/c\": 3}],\n  \"d\": {}}"))
	require.NoError(t, err)
	for pointer, want := range map[string][4]int{"": {1, 1, 1, 1}, "/a": {2, 8, 2, 3}, "/a/0": {2, 9, 2, 3}, "/a/1": {3, 5, 2, 3},
		"/a/1/é": {3, 11, 3, 6}, "/a/1/b~1c": {3, 21, 3, 14}, "/d": {4, 8, 4, 3}, "/d/none/below": {4, 8, 4, 3}} {
		line, col := tree.Position(pointer)
		nameLine, nameCol := tree.NamePosition(pointer)
		assert.Equal(t, want, [4]int{line, col, nameLine, nameCol}, pointer)
	}
}
