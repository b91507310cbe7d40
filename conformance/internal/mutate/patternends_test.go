package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAMatchIsJustTooLongOrTooShortForItsPattern(t *testing.T) {
	for _, row := range []struct{ pattern, match, longer, shorter string }{
		{"^[a-z0-9]{4,12}$", "abc4567890", "abc4567890000", "abc"},
		{"^[A-Z]{3}-[0-9]{4}$", "ABC-1234", "ABC-12344", "ABC-123"},
		{`\S`, "a植", "a植", "a植"},
		{"^植{2,3}$", "植植植", "植植植植", "植"},
		{"^.*$", "a1", "a1", "a1"},
		{"(", "a1", "a1", "a1"},
	} {
		assert.Equal(t, row.longer, tooLong(row.pattern)(row.match), row.pattern)
		assert.Equal(t, row.shorter, tooShort(row.pattern)(row.match), row.pattern)
	}
}
