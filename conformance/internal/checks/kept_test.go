package checks

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

func TestSpellingsThatStoresChangeAreKept(t *testing.T) {
	value := func(text string) *jsontree.Value {
		doc, err := jsontree.Parse([]byte(text))
		require.NoError(t, err, text)
		return doc.Root
	}
	for _, same := range [][2]string{
		{`"Ann@X.ORG"`, `"ann@x.org"`}, {`" a "`, `"a"`}, {`"e\u0301"`, `"é"`}, {`5`, `5.0`}, {`5`, `"5"`}, {`1.2345`, `1.23`}, {`null`, `"x"`}, {`""`, `null`},
		{`"4111111111"`, `"******1111"`}, {`"2026-01-02T03:04:05.678Z"`, `"2026-01-02T04:04:05+01:00"`}, {`"2026-01-02T03:04:05Z"`, `"2026-01-02"`},
		{`["b","a"]`, `["a","b"]`}, {`["a","a"]`, `["a"]`}, {`{"a":1}`, `{"a":1,"b":2}`}, {`{"a":1,"b":1}`, `{"a":1}`}, {`"http://x.org"`, `"http://x.org/"`},
	} {
		assert.True(t, kept(value(same[0]), value(same[1])), fmt.Sprint(same))
	}
	for _, other := range [][2]string{
		{`"ann"`, `"anna"`}, {`5`, `6`}, {`1.5`, `1.4`}, {`1.57`, `1.6`}, {`true`, `false`}, {`"x"`, `null`}, {`["a"]`, `[]`}, {`["a"]`, `["a","b"]`}, {`{"a":1}`, `{"a":2}`},
		{`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05+01:00"`}, {`10`, `1`}, {`"a"`, `["a"]`},
	} {
		assert.False(t, kept(value(other[0]), value(other[1])), fmt.Sprint(other))
	}
}
