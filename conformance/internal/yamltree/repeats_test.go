package yamltree

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
				assert.Empty(t, tree.Repeats)
				return
			}
			require.Len(t, tree.Repeats, 2)
			assert.Equal(t, row.first, tree.Repeats[0].Err.Error())
			_, err = Parse("f.yaml", []byte(row.text))
			assert.ErrorContains(t, err, "duplicate key", "a file of the user must not have it")
		})
	}
}

func TestDuplicateKeysOfATextThatIsReadInPartsAreListedOnce(t *testing.T) {
	tree, err := parse("f.yaml", []byte("a:\n  b: 1\n  b: 2\nc:\n  d: 1\nc: 3\n"), sizes{whole: 1 << 20}, true)
	require.NoError(t, err)
	assert.Len(t, tree.Repeats, 2)
}
