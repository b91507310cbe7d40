package exchange

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The server reads once; what it sees is what came before the next pause.
func TestACutBodyArrivesInPieces(t *testing.T) {
	seen := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 100)
		n, _ := r.Body.Read(b)
		seen <- string(b[:n])
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	defer server.Close()
	target, err := ParseTarget(server.URL)
	require.NoError(t, err)
	client := New(target, Options{Limits: Limits{Pause: 300 * time.Millisecond}})
	head, err := BuildHead(UsualVersion, "POST", "/", []Field{{"Host", target.Authority}, {"Content-Length", "6"}})
	require.NoError(t, err)
	s := client.Session()
	defer s.Close()
	e := s.Do(context.Background(), &Request{Method: "POST", Head: head, Body: []byte("abcdef"), Cuts: []int{0, 2}}, 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, "ab", <-seen)
	assert.Equal(t, len(head)+6, e.Written)
	assert.GreaterOrEqual(t, e.Took, 600*time.Millisecond, "two cuts are two pauses")
	assert.Positive(t, DefaultLimits().Pause)
	assert.Equal(t, DefaultLimits().Pause, New(target, Options{}).limits.Pause)
}

func TestACutHeadArrivesInPieces(t *testing.T) {
	pieces := make(chan string, 4)
	s, c := session(t, Options{Limits: Limits{Pause: 300 * time.Millisecond}}, func(_ int, p *peer) {
		b := make([]byte, 4096)
		for range 2 {
			n, _ := p.in.Read(b)
			pieces <- string(b[:n])
		}
		p.say(ok("got it"))
		p.gone()
	})
	r := post(c, "{}")
	r.Cuts = []int{-10}
	e := s.Do(t.Context(), r, 0)
	require.Nil(t, e.Failure)
	whole := string(r.Head) + "{}"
	assert.Equal(t, string(r.Head[:len(r.Head)-10]), <-pieces)
	assert.Equal(t, whole[len(r.Head)-10:], <-pieces)
}
