package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

const sensors = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"PATH":{"METHOD":{"security":[{"key":[]}],
"responses":{"200":{"description":"it"}}}},"/z":{"get":{"responses":{"200":{"description":"it"}}}}},
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"FIELD"}}}}`

// sensorsLeftOut loads a document of two operations and returns the first line about
// what is left out. The other operation is always read.
func sensorsLeftOut(t *testing.T, path, method, field string) string {
	t.Helper()
	c, err := openapi.Load("s.json", []byte(strings.NewReplacer("PATH", path, "METHOD", method, "FIELD", field).Replace(sensors)))
	require.NoError(t, err)
	assert.Equal(t, "/z", c.Operations[len(c.Operations)-1].Path)
	assert.Len(t, c.Operations, 2-len(c.LeftOut))
	assert.False(t, strings.ContainsAny(strings.Join(c.LeftOut, ""), "\r\n\x00"), c.LeftOut)
	return strings.Join(c.LeftOut, "")
}

func TestAPathIsLeftOutThatWouldNotStayOneOnTheWire(t *testing.T) {
	for _, path := range []string{"", "a", "@host/", "http://host/", `/a\r\nX: y`, `/a\rb`, `/a\nb`, `/a b`, `/a\tb`, `/a?b`, `/a\u0000`,
		"/a%", "/a%2", "/a%zz", "/ä", "/a{", "/a}", "/{}", "/{a/b}", `/a\\b`, `/a\"b`, "/a<b", "/a^b", "/a|b", "/a[0]"} {
		assert.Regexp(t, `^GET .*: /paths/.*: path `, sensorsLeftOut(t, path, "get", "X-Key"), path)
	}
	for _, path := range []string{"/", "/a", "/a#b", "//a", "/a/", "/-._~!$&'()*+,;=:@", "/%C3%a4", "/2024:do"} {
		assert.Empty(t, sensorsLeftOut(t, path, "get", "X-Key"), path)
	}
	c, err := openapi.Load("s.json", []byte(strings.NewReplacer("PATH", "/{a b}/c{d}", "METHOD", "get", "FIELD", "X-Key").Replace(sensors)))
	require.NoError(t, err)
	assert.Len(t, c.Operations, 2, "a template is a path")
}

func TestAKeyIsLeftOutInAHeaderThatIsNoneOrTheSuitesOwn(t *testing.T) {
	for _, field := range []string{"", "X Key", `X\r\nY`, "X:", "Schlüssel", "Host", "content-length", "CONNECTION", "Transfer-Encoding", "User-Agent"} {
		assert.Regexp(t, `^GET /a: /components/securitySchemes/key/name: `, sensorsLeftOut(t, "/a", "get", field), field)
	}
	for _, field := range []string{"X-Key", "Authorization", "api_key", "Cookie"} {
		assert.Empty(t, sensorsLeftOut(t, "/a", "get", field), field)
	}
}

func TestAMethodThatOpenAPIDoesNotKnowIsNamed(t *testing.T) {
	assert.Contains(t, sensorsLeftOut(t, "/a", `get / HTTP/1.1\r\nX: y`, "X-Key"), "/paths/~1a: get / HTTP/1.1<0d><0a>X: y is not a member of a path item")
	assert.Contains(t, sensorsLeftOut(t, "/a", "GET", "X-Key"), "/paths/~1a: GET is not a member of a path item")
}
