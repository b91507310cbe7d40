package pattern

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// testdata/v8.txt records what V8 (node 20) says with the flag u: yes or no, a
// pattern and a text, each a JSON string.
func TestMatchAgreesWithV8(t *testing.T) {
	f, err := os.Open("testdata/v8.txt")
	require.NoError(t, err)
	defer f.Close()
	inRE2, stepped := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.Split(lines.Text(), "\t")
		require.Len(t, parts, 3, lines.Text())
		want := answerOf(parts[0] == "yes")
		text := unquoted(t, parts[2])
		p, err := Compile(unquoted(t, parts[1]))
		if !assert.NoError(t, err, lines.Text()) {
			continue
		}
		assert.Equal(t, want, p.Match(text), "%s", lines.Text())
		require.NotNil(t, p.code, "%s is no other dialect", parts[1])
		assert.Equal(t, want, first(p.code.search(characters(text))), "in steps: %s", lines.Text())
		stepped++
		if p.re != nil && utf8.ValidString(text) {
			assert.Equal(t, want == Yes, p.re.MatchString(text), "in RE2: %s as %s", lines.Text(), p.re)
			inRE2++
		}
	}
	assert.Greater(t, stepped, 1000)
	assert.Greater(t, inRE2, 300)
}

func unquoted(t *testing.T, quoted string) string {
	t.Helper()
	d, err := jsontree.Parse([]byte(quoted))
	require.NoError(t, err)
	return d.Root.Text
}

func first(a Answer, _ int) Answer { return a }
