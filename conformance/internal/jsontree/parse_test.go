package jsontree

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseKeepsOrderSpellingAndDuplicates(t *testing.T) {
	text := `{"b":1.0,"a":[true,false,null,"x"],"b":-0e+2,"":{}}`
	d, err := Parse([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, text, string(d.Root.Emit()))
	assert.Equal(t, 2, d.Depth)
	assert.Equal(t, "1.0", d.Root.Get("b").Text)
	assert.Equal(t, []Issue{{DuplicateName, 35, "/b"}}, d.Issues)
}
