package contract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
)

const sensors = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"PATH":{"METHOD":{"security":[{"key":[]}],
"responses":{"200":{"description":"it"}}}},"/z":{"get":{"responses":{"200":{"description":"it"}}}}},
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"FIELD"}}}}`

func loadSensors(path, method, field string) error {
	_, err := contract.Load("s.json", []byte(strings.NewReplacer("PATH", path, "METHOD", method, "FIELD", field).Replace(sensors)))
	return err
}

func TestAPathIsRefusedThatWouldNotStayOneOnTheWire(t *testing.T) {
	for _, path := range []string{"", "a", "@host/", "http://host/", `/a\r\nX: y`, `/a\rb`, `/a\nb`, `/a b`, `/a\tb`, `/a#b`, `/a?b`, `/a\u0000`,
		"/a%", "/a%2", "/a%zz", "/ä", "/a{", "/a}", "/{}", "/{a/b}", `/a\\b`, `/a\"b`, "/a<b", "/a^b", "/a|b", "/a[0]"} {
		err := loadSensors(path, "get", "X-Key")
		if assert.Error(t, err, path) {
			assert.Regexp(t, `^s\.json:1:\d+: /paths/`, err.Error())
			assert.False(t, strings.ContainsAny(err.Error(), "\r\n\x00"), err.Error())
		}
	}
	for _, path := range []string{"/", "/a", "//a", "/a/", "/-._~!$&'()*+,;=:@", "/%C3%a4", "/{a b}/c{d}", "/2024:do"} {
		assert.NoError(t, loadSensors(path, "get", "X-Key"), path)
	}
}

func TestAKeyIsRefusedInAHeaderThatIsNoneOrTheSuitesOwn(t *testing.T) {
	for _, field := range []string{"", "X Key", `X\r\nY`, "X:", "Schlüssel", "Host", "content-length", "CONNECTION", "Transfer-Encoding", "User-Agent"} {
		err := loadSensors("/a", "get", field)
		if assert.Error(t, err, field) {
			assert.Regexp(t, `^s\.json:3:\d+: /components/securitySchemes/key/name: `, err.Error())
			assert.False(t, strings.ContainsAny(err.Error(), "\r\n"), err.Error())
		}
	}
	for _, field := range []string{"X-Key", "Authorization", "api_key", "Cookie"} {
		assert.NoError(t, loadSensors("/a", "get", field), field)
	}
}

func TestAMethodThatIsNoneIsRefusedAndOneThatOpenAPIDoesNotKnowIsNamed(t *testing.T) {
	err := loadSensors("/a", `get / HTTP/1.1\r\nX: y`, "X-Key")
	assert.ErrorContains(t, err, "/paths/~1a/get ~1 HTTP~11.1<0d><0a>X: y: ")
	c, err := contract.Load("s.json", []byte(strings.NewReplacer("PATH", "/a", "METHOD", "GET", "FIELD", "X").Replace(sensors)))
	assert.NoError(t, err)
	assert.Contains(t, strings.Join(c.LeftOut, "\n"), "/paths/~1a: GET is not a member of a path item")
}
