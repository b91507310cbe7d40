package exchange

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTargetIsReadFromABaseURL(t *testing.T) {
	for raw, want := range map[string]Target{
		"http://localhost:8080":        {"http", "localhost:8080", "localhost:8080", ""},
		"http://localhost:8080/":       {"http", "localhost:8080", "localhost:8080", ""},
		"HTTP://Example.org/a/b//":     {"http", "Example.org:80", "Example.org", "/a/b"},
		"https://example.org":          {"https", "example.org:443", "example.org", ""},
		"https://example.org:443/v1":   {"https", "example.org:443", "example.org", "/v1"},
		"http://example.org:443":       {"http", "example.org:443", "example.org:443", ""},
		"http://[::1]:8080/x":          {"http", "[::1]:8080", "[::1]:8080", "/x"},
		"http://[::1]":                 {"http", "[::1]:80", "[::1]", ""},
		"http://[fe80::1%25eth0]:8080": {"http", "[fe80::1%eth0]:8080", "[fe80::1]:8080", ""},
		"http://127.0.0.1:8080/a%2Fb":  {"http", "127.0.0.1:8080", "127.0.0.1:8080", "/a%2Fb"},
		"http://127.0.0.1:8080/ü":      {"http", "127.0.0.1:8080", "127.0.0.1:8080", "/%C3%BC"},
	} {
		got, err := ParseTarget(raw)
		require.NoError(t, err, raw)
		assert.Equal(t, want, got, raw)
		if strings.Contains(raw, "%25") {
			continue // the zone is for dialling, not for others to see
		}
		again, err := ParseTarget(got.String())
		require.NoError(t, err)
		assert.Equal(t, want, again, "String reads back")
	}
}

func TestWrongTargetIsRefusedInOneLineWithAHint(t *testing.T) {
	for raw, want := range map[string]string{
		"":                         "target is empty: write it like",
		" ":                        "target is empty: write it like",
		"localhost:8080":           "target has no scheme: write http://localhost:8080",
		"secret-token":             "target has no scheme: write it like",
		"user:secret@host":         "target has no scheme: write it like",
		"127.0.0.1:8080/x":         "target has no scheme: write it like",
		"://x":                     "target has no scheme: write it like",
		"ftp://localhost":          "target's scheme is not supported: use http:// or https://",
		"http://a:secret@host":     "target has user info: leave it out",
		"http://secret@host:x/":    "target has user info: leave it out",
		"http://host?secret=1":     "target has a query: leave out ?",
		"http://host/?":            "target has a query: leave out ?",
		"http://host/#secret":      "target has a fragment: leave out #",
		"http://host:/":            "target has an empty port: write a number",
		"http://host:0":            "target has a bad port: write a number",
		"http://host:65536":        "target has a bad port: write a number",
		"http://host:secret":       "target is not a url (invalid port",
		"http://":                  "target has no host",
		"http:///path":             "target has no host",
		"http://:8080":             "target has no host",
		"http://pflänze":           "target has no host that can be looked up",
		"http://a b":               "target is not a url (invalid character",
		"http://a\r\nb":            "target is not a url",
		"http://[::1":              "target is not a url (missing ']' in host)",
		"http://[x:y]":             "target is not a url (invalid host)",
		"http://host/%zz":          "target is not a url (invalid url escape",
		"http://host/a\nSecret: b": "target is not a url (invalid control character",
	} {
		_, err := ParseTarget(raw)
		require.Error(t, err, raw)
		assert.Contains(t, err.Error(), want, raw)
		assert.NotContains(t, err.Error(), "\n")
		assert.NotContains(t, strings.ToLower(err.Error()), "secret", "what was typed may be confidential")
	}
}

func TestChunksHaveTheSizesAskedFor(t *testing.T) {
	assert.Equal(t, "0\r\n\r\n", string(Chunk(nil)))
	assert.Equal(t, "5\r\nhello\r\n0\r\n\r\n", string(Chunk([]byte("hello"))))
	assert.Equal(t, "1\r\nh\r\n2\r\nel\r\n2\r\nlo\r\n0\r\n\r\n", string(Chunk([]byte("hello"), 1, 0, -4, 2)))
	assert.Equal(t, "5\r\nhello\r\n0\r\n\r\n", string(Chunk([]byte("hello"), 99)))
	body := strings.Repeat("x", 300)
	e := ReadResponse(strings.NewReader("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+string(Chunk([]byte(body), 17, 255))), new(Request), Limits{})
	require.Nil(t, e.Failure)
	assert.Equal(t, body, string(e.Response.Body))
}

func TestLimitsAreFilledRowByRow(t *testing.T) {
	l := Limits{Head: 7}.withDefaults()
	want := DefaultLimits()
	want.Head = 7
	assert.Equal(t, want, l)
}
