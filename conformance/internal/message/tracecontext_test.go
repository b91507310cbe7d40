package message

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTraceContextHasTheFormOfW3C(t *testing.T) {
	for _, id := range []string{"post-plants/valid/a/b/c/0", "control"} {
		assert.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`, traceParent(1, id, "POST", "/plants", "{}"))
	}
}

func TestTheRequestsOfACaseShareATrace(t *testing.T) {
	parts := func(seed uint64, id, body string) (trace, parent string) {
		p := strings.Split(traceParent(seed, id, "POST", "/plants", body), "-")
		return p[1], p[2]
	}
	trace, parent := parts(1, "a/b/0", "{}")
	again, same := parts(1, "a/b/0", "{}")
	assert.Equal(t, []string{trace, parent}, []string{again, same}, "the same run sends the same")
	other, second := parts(1, "a/b/0", "[]")
	assert.Equal(t, trace, other)
	assert.NotEqual(t, parent, second)
	for _, c := range []struct {
		seed uint64
		id   string
	}{{2, "a/b/0"}, {1, "a/b/1"}} {
		other, _ = parts(c.seed, c.id, "{}")
		assert.NotEqual(t, trace, other)
	}
	one, _ := parts(1, "control", "{}")
	two, _ := parts(1, "control", "[]")
	assert.NotEqual(t, one, two, "controls belong to no case")
}

func TestATraceContextOfACaseIsNotTakenForOurs(t *testing.T) {
	ours := traceParent(7, "a/b/0", "GET", "/", "")
	assert.True(t, ownTrace(ours))
	for _, other := range []string{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x", "", "00-00-00-01", strings.Replace(ours, "-", "-0", 1)} {
		assert.False(t, ownTrace(other), other)
	}
	assert.Equal(t, strings.Split(ours, "-")[1], TraceID([]byte("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: "+ours+"\r\n\r\n")))
	assert.Empty(t, TraceID([]byte("GET / HTTP/1.1\r\nTraceparent: x\r\n\r\n")))
}
