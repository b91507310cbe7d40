package exchange

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAServerThatSpeaksHTTP2AloneIsNamedAsThat(t *testing.T) {
	for name, config := range map[string]func(*httptest.Server){
		"refused in the handshake": func(s *httptest.Server) { s.TLS = &tls.Config{NextProtos: []string{"h3"}} },
		"answered with frames": func(s *httptest.Server) {
			s.EnableHTTP2 = true
			s.Config.Protocols = new(http.Protocols)
			s.Config.Protocols.SetHTTP2(true)
		},
	} {
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ErrorLog = nil
		config(s)
		s.StartTLS()
		defer s.Close()
		target, err := ParseTarget(s.URL)
		require.NoError(t, err)
		client := New(target, Options{TLS: &tls.Config{InsecureSkipVerify: true}})
		e := client.Session().Do(context.Background(), &Request{Method: "GET", Head: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")}, 5*time.Second)
		require.NotNil(t, e.Failure, name)
		assert.True(t, client.HTTP2Alone(t.Context(), e.Failure), "%s: %v", name, e.Failure)
	}
	both := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	both.EnableHTTP2 = false
	both.StartTLS()
	defer both.Close()
	target, err := ParseTarget(both.URL)
	require.NoError(t, err)
	client := New(target, Options{TLS: &tls.Config{InsecureSkipVerify: true}})
	assert.False(t, client.HTTP2Alone(t.Context(), &Failure{Kind: Dropped}), "it speaks HTTP/1.1 and dropped")
	assert.False(t, (*Failure)(nil).HTTP2())
	assert.False(t, malformed("").HTTP2())
}
