package reference_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// net/http lingers for half a second on connections with unread bytes.
		goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// raw sends bytes to a fresh connection and gives the first answer.
func raw(t *testing.T, url, request string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, request)
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	resp.Body = io.NopCloser(strings.NewReader(string(body)))
	return resp
}

const head = "POST /plants HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer secret\r\n"

func TestRequestsAreUnderstoodInEveryFraming(t *testing.T) {
	local, err := server().Start()
	require.NoError(t, err)
	defer local.Close()
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n"
	assert.Equal(t, `{"name":"fern"}`, text(t, raw(t, local.URL, chunked+"5\r\n{\"id\"\r\n11\r\n:1,\"name\":\"fern\"}\r\n0\r\n\r\n")))
	refused(t, raw(t, local.URL, chunked+"zz\r\n"), 400, 400)
	refused(t, raw(t, local.URL, head+"Content-Length: 0\r\n\r\n"), 400, 400)
	refused(t, raw(t, local.URL, head+"\r\n"), 400, 400)
	refused(t, raw(t, local.URL, "OPTIONS * HTTP/1.1\r\nHost: plants\r\n\r\n"), 404, 404)
}

func TestServeStopsCleanlyWhenItsContextEnds(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server().Serve(ctx, ln, nil) }()
	refused(t, raw(t, "http://"+ln.Addr().String(), head+"Content-Length: 1\r\n\r\n{"), 400, 400)
	cancel()
	require.NoError(t, <-ended)
	_, err = net.Dial("tcp", ln.Addr().String())
	assert.Error(t, err)
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, ln.Close())
	assert.Error(t, server().Serve(context.Background(), ln, nil))
}
