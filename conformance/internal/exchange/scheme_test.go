package exchange

import (
	"bufio"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// other gives the other scheme that a server is found to answer under.
func other(t *testing.T, url string) string {
	t.Helper()
	return clientFor(t, url, Options{}).OtherScheme(t.Context())
}

func TestAServerIsAskedWhetherItAnswersUnderTheOtherScheme(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(baseline))
	t.Cleanup(plain.Close)
	secured, _ := secure(t, baseline)
	assert.Equal(t, "http", other(t, strings.Replace(plain.URL, "http", "https", 1)))
	assert.Equal(t, "https", other(t, strings.Replace(secured.URL, "https", "http", 1)))
	assert.Empty(t, other(t, plain.URL))
	assert.Empty(t, other(t, secured.URL), "a TLS server refuses plain HTTP in plain HTTP")
	assert.Empty(t, other(t, "http://127.0.0.1:1"))
}

// speaking serves connections with a function, each in turn.
func speaking(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	return "http://" + ln.Addr().String()
}

func TestAnAlertIsSpokenByTLSAndNothingElseIs(t *testing.T) {
	refusing := speaking(t, func(c net.Conn) {
		_ = tls.Server(c, &tls.Config{}).Handshake() // it has no certificate
	})
	assert.Equal(t, "https", other(t, refusing))
	for _, said := range []string{"", "\x15", "SSH-2.0-x\r\n", "\x00\x00\x12\x04\x00\x00\x00\x00\x00", "HTTP/1.1 400 Bad Request\r\n\r\n"} {
		url := speaking(t, func(c net.Conn) {
			_, _ = bufio.NewReader(c).ReadByte()
			_, _ = c.Write([]byte(said))
		})
		assert.Empty(t, other(t, url), "%q", said)
		assert.Empty(t, other(t, strings.Replace(url, "http", "https", 1)), "%q", said)
	}
}

func TestNoCredentialGoesInPlainTextToATargetOfHTTPS(t *testing.T) {
	seen := make(chan *http.Request, 1)
	url := speaking(t, func(c net.Conn) {
		r, _ := http.ReadRequest(bufio.NewReader(c))
		_, _ = c.Write([]byte("HTTP/1.1 204 No Content\r\n\r\n"))
		seen <- r
	})
	assert.Equal(t, "http", other(t, strings.Replace(url, "http", "https", 1)))
	r := <-seen
	require.NotNil(t, r)
	assert.Equal(t, http.MethodOptions, r.Method)
	assert.Equal(t, http.Header{"Connection": {"close"}}, r.Header)
}
