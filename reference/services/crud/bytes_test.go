package crud

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// raw sends a request and gives everything that comes back until the service
// closes.
func (r *Running) raw(t *testing.T, lines ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(5*time.Second)))
	c := DefaultCredentials()
	if !r.server.Handler.(*server).Has("closing") {
		lines = append(lines, "Connection: close")
	}
	lines = append(lines, "Host: desk", "Authorization: Bearer "+c.Bearer, "X-Desk-Key: "+c.DeskKey, "", "")
	_, err = io.WriteString(conn, strings.Join(lines, "\r\n"))
	require.NoError(t, err)
	all, err := io.ReadAll(conn)
	require.NoError(t, err)
	return string(all)
}

func TestABodyWhereHTTPAllowsNoneIsReallySent(t *testing.T) {
	for name, line := range map[string]string{"body-on-head": "HEAD /projects/1 HTTP/1.1", "body-on-204": "DELETE /projects/1 HTTP/1.1"} {
		f, found := FindFault(name)
		require.True(t, found)
		_, right, _ := strings.Cut(serve(t).raw(t, line), "\r\n\r\n")
		assert.Empty(t, right)
		_, wrong, _ := strings.Cut(serve(t, WithFault(f)).raw(t, line), "\r\n\r\n")
		assert.Equal(t, `{"deleted":true}`, wrong)
	}
}

func TestTheBytesOfAVariantAreUnusual(t *testing.T) {
	variant := func(name string) Option {
		v, found := FindVariant(name)
		require.True(t, found, name)
		return WithVariant(v)
	}
	assert.Contains(t, serve(t, variant("lower-case-names")).raw(t, "GET /projects HTTP/1.1"), "\r\nx-total-count: 1\r\n")
	assert.Contains(t, serve(t, variant("chunked")).raw(t, "GET /projects HTTP/1.1"), "\r\nTransfer-Encoding: chunked\r\n")
	assert.Contains(t, serve(t, variant("length-on-204")).raw(t, "DELETE /projects/1 HTTP/1.1"), "\r\nContent-Length: 0\r\n")
	assert.Contains(t, serve(t, variant("closing")).raw(t, "GET /projects HTTP/1.1"), "\r\nConnection: close\r\n")
	assert.NotContains(t, serve(t).raw(t, "DELETE /projects/1 HTTP/1.1"), "Content-Length")
}

func TestOneConnectionIsServedAtATime(t *testing.T) {
	v, _ := FindVariant("one-connection")
	s := serve(t, WithVariant(v))
	ask := func(conn net.Conn) error {
		_, err := io.WriteString(conn, "GET /badges/;size=8/.red HTTP/1.1\r\nHost: desk\r\n\r\n")
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	addr := strings.TrimPrefix(s.URL, "http://")
	first, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer first.Close()
	require.NoError(t, ask(first))
	second, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer second.Close()
	began := time.Now()
	require.NoError(t, ask(second), "the second is served when the first is idle")
	assert.Greater(t, time.Since(began), 50*time.Millisecond)
}
