package yamltree

import (
	"errors"
	"strings"
	"testing"

	"plantstore/conformance/internal/jsontree"
)

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
