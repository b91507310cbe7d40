package exchange

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAHeadIsBuiltAsGiven(t *testing.T) {
	for want, fields := range map[string][]Field{
		"POST /plants?a=%0a HTTP/1.1\r\nHost: a\r\nX: \r\nhost: b\r\n\r\n": {{"Host", "a"}, {"X", ""}, {"host", "b"}},
		"POST /plants?a=%0a HTTP/1.1\r\nX:  \t\x01\xff\x7fä: \r\n\r\n":     {{"X", " \t\x01\xff\x7fä: "}},
		"POST /plants?a=%0a HTTP/1.1\r\n!#$%&'*+-.^_`|~09aZ: #@ \r\n\r\n":  {{"!#$%&'*+-.^_`|~09aZ", "#@ "}},
	} {
		head, err := BuildHead(UsualVersion, "POST", "/plants?a=%0a", fields)
		require.NoError(t, err)
		assert.Equal(t, want, string(head))
	}
}

func TestNothingBreaksOutOfALineOfTheHead(t *testing.T) {
	for _, r := range []struct {
		method, target string
		field          Field
	}{
		{"GET / HTTP/1.1\r\nX: y\r\n\r\nPOST", "/", Field{"A", "b"}},
		{"", "/", Field{"A", "b"}}, {"G ET", "/", Field{"A", "b"}}, {"GET\n", "/", Field{"A", "b"}}, {"G\x00", "/", Field{"A", "b"}},
		{"GET", "", Field{"A", "b"}}, {"GET", "@host/", Field{"A", "b"}}, {"GET", "http://host/", Field{"A", "b"}}, {"GET", "*", Field{"A", "b"}},
		{"GET", "/ HTTP/1.1\r\nX: y", Field{"A", "b"}}, {"GET", "/a b", Field{"A", "b"}}, {"GET", "/a\tb", Field{"A", "b"}}, {"GET", "/a#b", Field{"A", "b"}},
		{"GET", "/a\rb", Field{"A", "b"}}, {"GET", "/a\nb", Field{"A", "b"}}, {"GET", "/a\x00b", Field{"A", "b"}}, {"GET", "/a\x7f", Field{"A", "b"}},
		{"GET", "/", Field{"", "b"}}, {"GET", "/", Field{"A ", "b"}}, {"GET", "/", Field{"A:", "b"}}, {"GET", "/", Field{"A\r\nB", "b"}}, {"GET", "/", Field{"Ä", "b"}},
		{"GET", "/", Field{"A", "b\r\nX: y"}}, {"GET", "/", Field{"A", "b\rc"}}, {"GET", "/", Field{"A", "b\nc"}}, {"GET", "/", Field{"A", "b\x00c"}},
	} {
		head, err := BuildHead(UsualVersion, r.method, r.target, []Field{{"Host", "a"}, r.field})
		if assert.Error(t, err, "%q %q %q", r.method, r.target, r.field) {
			assert.Nil(t, head)
			assert.False(t, strings.ContainsAny(err.Error(), "\r\n\x00"), err.Error())
		}
	}
}

func TestTheRequestLineHasAVersionOfHTTP(t *testing.T) {
	head, err := BuildHead("HTTP/1.0", "GET", "/", nil)
	require.NoError(t, err)
	assert.Equal(t, "GET / HTTP/1.0\r\n\r\n", string(head))
	for _, version := range []string{"", "HTTP/1", "HTTP/11", "http/1.0", "HTTP/1.0\r\nA: b", "HTTP/1. "} {
		head, err := BuildHead(version, "GET", "/", nil)
		assert.Error(t, err, version)
		assert.Nil(t, head)
	}
}

func TestARequestThatCannotBeSentIsAnErrorInTheSuiteAndDialsNoTarget(t *testing.T) {
	_, err := BuildHead(UsualVersion, "GET", "/a b", nil)
	target, parsed := ParseTarget("http://127.0.0.1:1")
	require.NoError(t, parsed)
	s := New(target, Options{}).Session()
	e := s.Do(context.Background(), &Request{Method: "GET", Err: err}, 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, "not sent: request target /a b is not a path", e.Failure.Error())
}
