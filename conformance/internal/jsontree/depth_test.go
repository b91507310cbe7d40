package jsontree

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nested gives text of that depth, objects and arrays in turn.
func nested(depth int) []byte {
	return []byte(strings.Repeat(`{"a":[`, depth/2) + strings.Repeat("]}", depth/2))
}

func TestEverythingCopesWithDepth200000(t *testing.T) {
	text := nested(DefaultDepth)
	d, err := Parse(text)
	require.NoError(t, err)
	assert.Equal(t, DefaultDepth, d.Depth)
	assert.Equal(t, string(text), d.Root.String())
	assert.True(t, Equal(d.Root, d.Root.Clone()))
	assert.Len(t, d.Root.EmitStyle(Style{Indent: " "})[:3], 3)
	pointer := strings.Repeat("/a/0", DefaultDepth/2-1) + "/a"
	require.NotNil(t, d.Root.At(pointer))
	assert.True(t, d.Root.SetAt(pointer+"/0", NewInt(1)))
	assert.True(t, d.Root.RemoveAt(pointer+"/0"))
	values := 0
	d.Root.Walk(func(p string, _ *Value) {
		values++
		if len(p) > maxWalkPointer {
			t.Fatal("pointer is not cut")
		}
	})
	assert.Equal(t, DefaultDepth, values)
	levels := 0
	for n := d.Root.Native(); n != nil; levels++ {
		switch c := n.(type) {
		case map[string]any:
			n = c["a"]
		case []any:
			if n = nil; len(c) > 0 {
				n = c[0]
			}
		}
	}
	assert.Equal(t, DefaultDepth, levels)
	tokens, err := Tokens(text)
	require.NoError(t, err)
	assert.Len(t, tokens, 2*DefaultDepth+DefaultDepth)
}

func TestTheDepthLimitIsExact(t *testing.T) {
	_, err := Parse(nested(DefaultDepth + 2))
	var e *DepthError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, DefaultDepth, e.Limit)
	assert.Equal(t, DefaultDepth/2*len(`{"a":[`), e.Offset)
	_, err = Tokens(nested(DefaultDepth + 2))
	require.ErrorAs(t, err, &e)

	d, err := ParseLimit(nested(1_000_000), 1_000_000)
	require.NoError(t, err)
	assert.Equal(t, 1_000_000, d.Depth)
	_, err = ParseLimit([]byte("[]"), 0)
	assert.EqualError(t, err, "JSON nested deeper than 0 at byte 0")
	d, err = ParseLimit([]byte("1"), 0)
	require.NoError(t, err)
	assert.Zero(t, d.Depth)
	_, err = Parse([]byte(strings.Repeat("[", 1_000_000)))
	assert.ErrorAs(t, err, &e)
}
