package yamltree

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

func TestScalarsFollowTheCoreSchema(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "null",
		"~":                      "null",
		"Null":                   "null",
		"TRUE":                   "true",
		"false":                  "false",
		"yes":                    `"yes"`,
		"on":                     `"on"`,
		"12":                     "12",
		"+12":                    "12",
		"-0":                     "-0",
		"017":                    "17",
		"0o17":                   "15",
		"0x1F":                   "31",
		"0b1":                    `"0b1"`,
		"1_000":                  `"1_000"`,
		"0x_1":                   `"0x_1"`,
		"-0x1":                   `"-0x1"`,
		"1.50":                   "1.50",
		".5":                     "0.5",
		"5.":                     "5",
		"-.5e+3":                 "-0.5e+3",
		"1e3":                    "1e3",
		"1.2.3":                  `"1.2.3"`,
		".":                      `"."`,
		"1e":                     `"1e"`,
		"'200'":                  `"200"`,
		`"true"`:                 `"true"`,
		"!!str 1":                `"1"`,
		"!!int 1":                "1",
		"!!seq []":               "[]",
		"2001-01-01":             `"2001-01-01"`,
		"9007199254740993":       "9007199254740993",
		"1e1000000000":           "1e1000000000",
		"0xFFFFFFFFFFFFFFFFF":    "295147905179352825855",
		strings.Repeat("9", 400): strings.Repeat("9", 400),
	} {
		tree, err := Parse("f.yaml", []byte("a: "+text+"\n"))
		if assert.NoError(t, err, text) {
			assert.Equal(t, `{"a":`+want+`}`, tree.Root.String(), text)
		}
	}
}

func TestStructureAndOrderAreKept(t *testing.T) {
	for text, want := range map[string]string{
		"b: 1\na: 2\n":                                  `{"b":1,"a":2}`,
		"200: x\n404: y":                                `{"200":"x","404":"y"}`,
		"null: 1\n~: 2\ntrue: 3\n\"\": 4":               `{"null":1,"~":2,"true":3,"":4}`,
		"a: |\n  x\n  y\nb: >-\n  f\n  g\n\n  h\n":      `{"a":"x\ny\n","b":"f g\nh"}`,
		"c: |+\n  k\n\n":                                `{"c":"k\n\n"}`,
		"a:\n- b\n- c: 1\n  d: 2\n- - e\n":              `{"a":["b",{"c":1,"d":2},["e"]]}`,
		"{a: [1, {b: x}], c: }":                         `{"a":[1,{"b":"x"}],"c":null}`,
		"a: 'it''s'\nb: \"\\ud83d\\ude00\\/\\x41\"":     `{"a":"it's","b":"😀/A"}`,
		"a: &x {b: 1}\nc: *x\nd: [*x]":                  `{"a":{"b":1},"c":{"b":1},"d":[{"b":1}]}`,
		"? a\n: b\n":                                    `{"a":"b"}`,
		"!!str a: b":                                    `{"a":"b"}`,
		"%YAML 1.2\n---\na: 1\n...\n":                   `{"a":1}`,
		"---\n":                                         `null`,
		"\uFEFFa: 1\r\nb:\r\n  c: 2\r\n":                `{"a":1,"b":{"c":2}}`,
		"a: https://x.y/z#a\nb: '#/a' # c":              `{"a":"https://x.y/z#a","b":"#/a"}`,
		"{\"a\":\t\"\\ud83d\\ude00\\/\",\n\t\"b\":1.0}": `{"a":"😀/","b":1.0}`,
	} {
		tree, err := Parse("f.yaml", []byte(text))
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, tree.Root.String(), text)
		}
	}
}

func TestErrorsAreOneLineWithPlaceAndReason(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for text, want := range map[string]string{
		"":                                  "f.yaml:1:1: no document",
		"# only\n":                          "f.yaml:1:1: no document",
		"a: 1\na: 2":                        `f.yaml:2:1: duplicate key "a", first at 1:1`,
		"\"200\": x\n200: y":                `f.yaml:2:1: duplicate key "200", first at 1:1`,
		"{\"a/b\":1,\n \"a/b\":2}":          `f.yaml:2:2: duplicate key "a/b"`,
		"a: 1\n---\nb: 2":                   "f.yaml:2:1: more than one document",
		"a: &x [*x]":                        "f.yaml:1:8: alias *x inside its own anchor",
		"a: *y":                             "f.yaml:1:4: alias *y without an anchor before it",
		"<<: 1":                             "f.yaml:1:1: a merge key (<<) needs a mapping, or a list of them",
		"<<: [{a: 1}, 2]":                   "f.yaml:1:1: a merge key (<<) needs a mapping, or a list of them",
		"a: .inf":                           "f.yaml:1:4: .inf has no JSON value",
		"a: -.Inf":                          "f.yaml:1:4: -.Inf has no JSON value",
		"a: .NaN":                           "f.yaml:1:4: .NaN has no JSON value",
		"a: !foo 3":                         "f.yaml:1:4: tag !foo is not supported",
		"a: !!int x":                        "f.yaml:1:4: !!int before a value of another type",
		"%TAG ! x\n---\na: 1":               "f.yaml:1:1: directive %TAG is not supported",
		"a: [1, 2":                          "f.yaml:1:4: sequence end token ']' not found",
		"a:\n  b: c: d":                     "f.yaml:2:6: mapping value is not allowed in this context",
		"a: \"x\xff\"":                      "f.yaml:1:6: invalid UTF-8",
		"{\"a\": \"\\ud800\"}":              "f.yaml:1:8: lone surrogate",
		"a: 0x" + strings.Repeat("f", 1001): "f.yaml:1:4: number of too many digits",
		deep:                                "f.yaml:1:1001: nested deeper than 1000",
		strings.Repeat("- ", 100_000):       "f.yaml:1:2001: nested deeper than 1000",
	} {
		_, err := Parse("f.yaml", []byte(text))
		if len(text) > 80 {
			text = text[:80]
		}
		var e *Error
		require.ErrorAs(t, err, &e, text)
		assert.Equal(t, want, err.Error(), text)
	}
}

func TestAFileNamedJSONMustBeJSON(t *testing.T) {
	_, err := Parse("x.json", []byte("{\n \"a\": 1,\n}"))
	assert.EqualError(t, err, "x.json:3:1: unexpected '}', want a name")
	_, err = Parse("x.json", []byte(strings.Repeat("[", 5000)))
	assert.EqualError(t, err, "x.json:1:1001: nested deeper than 1000")
}

func TestAliasesCannotExplode(t *testing.T) {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		n, p := string(rune('0'+i)), "*a"+string(rune('0'+i-1))
		text += "a" + n + ": &a" + n + " [" + strings.Repeat(p+", ", 9) + p + "]\n"
	}
	_, err := Parse("f.yaml", []byte(text))
	assert.ErrorContains(t, err, "more than 1500000 nodes, aliases resolved")
}

func TestPositionsNameLineAndColumn(t *testing.T) {
	const block = "é: ü # c\npaths:\n  /plants:\n    post:\n      - {x: ü, y: 1}\nz: &a [1]\nw: *a\n"
	const text = "{\"é\": \"ü\",\n \"paths\": {\"/plants\":\n  [true, null]}}"
	for _, c := range []struct{ text, pointer, value, name string }{
		{block, "", "1:1", "1:1"},
		{block, "/é", "1:4", "1:1"},
		{block, "/paths", "3:3", "2:1"},
		{block, "/paths/~1plants", "4:5", "3:3"},
		{block, "/paths/~1plants/post/0", "5:9", "4:5"},
		{block, "/paths/~1plants/post/0/y", "5:19", "5:16"},
		{block, "/paths/~1plants/get/deeper", "4:5", "3:3"},
		{block, "/w/0", "6:8", "7:1"},
		{block, "nonsense", "1:1", "1:1"},
		{text, "", "1:1", "1:1"},
		{text, "/é", "1:7", "1:2"},
		{text, "/paths/~1plants", "3:3", "2:12"},
		{text, "/paths/~1plants/1", "3:10", "2:12"},
		{text, "/paths/~1plants/7", "3:3", "2:12"},
	} {
		tree, err := Parse("dir/f.yaml", []byte(c.text))
		require.NoError(t, err)
		assert.Equal(t, "dir/f.yaml:"+c.value, tree.Where(c.pointer), c.pointer)
		line, col := tree.NamePosition(c.pointer)
		assert.Equal(t, c.name, fmt.Sprintf("%d:%d", line, col), c.pointer)
	}
}

func TestLineIsThatOfTheNameOrOfTheItem(t *testing.T) {
	for text, lines := range map[string]map[string]int{
		"a:\n  b:\n    - c\n    - d: e\nf: &x\n  g: h\ni: *x\n": {"": 1, "/a": 1, "/a/b": 2, "/a/b/0": 3, "/a/b/1": 4, "/a/b/1/d": 4,
			"/a/b/7": 2, "/f": 5, "/i": 7, "nonsense": 1},
		"{\n\"a\": {\n\"b\": [\n1,\n2]}}": {"": 1, "/a": 2, "/a/b": 3, "/a/b/1": 5, "/a/c": 2},
	} {
		tree, err := Parse("f.yaml", []byte(text))
		require.NoError(t, err)
		for pointer, line := range lines {
			assert.Equal(t, line, tree.Line(pointer), pointer)
		}
	}
}

// The library drops these tabs.
func TestTabsInsidePlainScalarsAreText(t *testing.T) {
	tree, err := Parse("f.yaml", []byte("a\tb: c\td\t# e\n0\t0: [1\t2, x\t]\nf:\n  g\th\n  i\n\n  j\tk\n"))
	require.NoError(t, err)
	assert.Equal(t, `{"a\tb":"c\td","0\t0":["1\t2","x"],"f":"g\th i\nj\tk"}`, tree.Root.String())
}

// Documents in the wild use them for what several schemas have.
func TestAMergeKeyAddsTheMembersThatAMappingDoesNotHave(t *testing.T) {
	for text, want := range map[string]string{
		"<<: {a: 1}": `{"a":1}`,
		"x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3, c: 4}":                  `{"x":{"a":1,"b":2},"y":{"a":1,"b":3,"c":4}}`,
		"x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}":                        `{"x":{"a":1,"b":2},"y":{"b":3,"a":1}}`,
		"x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  <<: [*x, *y]\n  c: 3": `{"x":{"a":1},"y":{"a":2,"b":2},"z":{"a":1,"b":2,"c":3}}`,
		"\"<<\": {a: 1}": `{"<<":{"a":1}}`,
	} {
		tree, err := Parse("f.yaml", []byte(text))
		require.NoError(t, err, text)
		assert.Equal(t, want, string(tree.Root.Emit()), text)
	}
	_, err := Parse("f.yaml", []byte("<<: {a: 1}\nb: 1\nb: 2"))
	assert.ErrorContains(t, err, `duplicate key "b"`)
}

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
	for _, name := range []string{"../mutate/testdata/orders.yaml", "../mutate/testdata/keywords.yaml", "../../../spec/openapi.yaml", "../../../spec/requirements.yaml"} {
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

func TestOfADuplicateKeyTheFirstValueStaysAndTheOtherIsListed(t *testing.T) {
	for name, row := range map[string]struct{ text, tree, first string }{
		"YAML":        {"a:\n  b: 1\n  c: {d: 2, d: 3}\n  b: [4]\ne: 5\n", `{"a":{"b":1,"c":{"d":2}},"e":5}`, `f.yaml:3:13: duplicate key "d", first at 3:7`},
		"JSON":        {"{\"a\": [{\"b\": 1,\n\"b\": {\"b\": 2}}], \"a\": 3}", `{"a":[{"b":1}]}`, `f.yaml:2:6: duplicate key "b"`},
		"none of two": {"a: 1\nb: 2\n", `{"a":1,"b":2}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tree, err := ParseLoosely("f.yaml", []byte(row.text))
			require.NoError(t, err)
			assert.Equal(t, row.tree, tree.Root.String())
			if row.first == "" {
				assert.Empty(t, tree.Faults)
				return
			}
			require.Len(t, tree.Faults, 2)
			assert.Equal(t, row.first, tree.Faults[0].Err.Error())
			_, err = Parse("f.yaml", []byte(row.text))
			assert.ErrorContains(t, err, "duplicate key", "a file of the user must not have it")
		})
	}
}

func TestDuplicateKeysOfATextThatIsReadInPartsAreListedOnce(t *testing.T) {
	tree, err := parse("f.yaml", []byte("a:\n  b: 1\n  b: 2\nc:\n  d: 1\nc: 3\n"), sizes{whole: 1 << 20}, true)
	require.NoError(t, err)
	assert.Len(t, tree.Faults, 2)
}

func FuzzParseNeverPanicsAndPlacesEveryNode(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb:\n  - x\n  - 200: y\n", "{\"a\": [1, \"\\ud83d\\ude00\"]}", "a: &x {b: 1}\nc: *x",
		"a: |\n  x\nb: >-\n  f\n", "? a\n: b\n", "!!str a: !!int 3\n", "%YAML 1.2\n---\na\n...\n",
		"a: 'it''s' # c\n<<: *b\n", "- - - a\n  - b\n", "[a: 1, {b: , c}]", "a: \"q\\x41\\\n  z\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		tree, err := Parse("f", []byte(text))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\r\n") {
				t.Fatalf("not a one-line *Error: %v", err)
			}
			return
		}
		tree.Root.Walk(func(pointer string, _ *jsontree.Value) {
			if line, col := tree.Position(pointer); line < 1 || col < 1 {
				t.Fatalf("%s stands at %d:%d", pointer, line, col)
			}
		})
		if _, err := jsontree.Parse(tree.Root.Emit()); err != nil {
			t.Fatalf("%q became %s: %v", text, tree.Root.Emit(), err)
		}
	})
}
