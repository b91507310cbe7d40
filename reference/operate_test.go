package reference_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

func TestEveryAnswerIsObservedOnceWithItsStatusAndErrorNumber(t *testing.T) {
	var got []reference.Outcome
	s := reference.New(reference.Config{Tokens: []string{"secret"}, Observe: func(o reference.Outcome) {
		assert.Positive(t, o.Took)
		o.Took = 0
		got = append(got, o)
	}})
	wrong := request("POST", "/plants", mild)
	wrong.Header.Set("Authorization", "Bearer other")
	for _, r := range []*http.Request{
		request("POST", "/plants", mild), request("POST", "/plants", "{"), wrong, request("GET", "/plants", ""), request("GET", "/", ""),
	} {
		answer(s, r)
	}
	assert.Equal(t, []reference.Outcome{{Status: 200}, {Status: 400, Error: 400}, {Status: 400, Error: 401}, {Status: 405, Error: 405}, {Status: 404, Error: 404}}, got)
}

// lines is a log that many goroutines write.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func TestTheLogHasALineForEachRequestAndNeverATokenOrABody(t *testing.T) {
	for level, want := range map[slog.Level]int{slog.LevelDebug: 5, slog.LevelInfo: 0} {
		var log lines
		s := reference.New(reference.Config{Tokens: []string{"secret"}, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))})
		for _, r := range []*http.Request{
			request("POST", "/plants", `{"id":1,"name":"hidden"}`), request("POST", "/plants", `{"id":"hidden","name":1}`),
			request("POST", "/plants", `hidden`), request("GET", "/hidden", ""), request("PUT", "/plants", "hidden"),
		} {
			answer(s, r)
		}
		assert.Equal(t, want, strings.Count(log.text(), "msg=answered"))
		assert.NotContains(t, log.text(), "hidden")
		assert.NotContains(t, log.text(), "secret")
	}
}

func TestAPanicIsAnErrorForTheClientAndALineForTheOperator(t *testing.T) {
	var log lines
	s := reference.New(reference.Config{Tokens: []string{"secret"}, Store: brokenStore{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	refused(t, answer(s, request("POST", "/plants", mild)), 400, 500)
	assert.Contains(t, log.text(), `level=ERROR msg=panic cause="disk on fire`)
	assert.Contains(t, log.text(), "operate_test.go")
}

// impatient is a server whose time limits are short.
func impatient(hs *http.Server) {
	hs.ReadHeaderTimeout, hs.ReadTimeout = 200*time.Millisecond, 400*time.Millisecond
}

func TestABodyThatTricklesIsAnsweredWithAnErrorWhenItsTimeIsUp(t *testing.T) {
	local, err := reference.New(reference.Config{Tokens: []string{"secret"}, Alter: func(s *reference.Stages) { s.Tune = impatient }}).Start()
	require.NoError(t, err)
	defer local.Close()
	resp := raw(t, local.URL, head+"Content-Length: 100\r\n\r\n{")
	message := text(t, resp)
	assert.Equal(t, 400, resp.StatusCode)
	assert.Contains(t, message, "could not be read to its end")
	assert.NotContains(t, message, "127.0.0.1")
	conn, err := net.Dial("tcp", strings.TrimPrefix(local.URL, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /plants HTTP/1.1\r\nHost:")
	require.NoError(t, err)
	rest, err := io.ReadAll(conn)
	assert.NoError(t, err, "headers that stop end the connection")
	assert.Empty(t, rest)
}

func TestHeadersAboveTheLimitAreRefused(t *testing.T) {
	local, err := server().Start()
	require.NoError(t, err)
	defer local.Close()
	assert.Equal(t, 431, raw(t, local.URL, head+"X: "+strings.Repeat("x", 32<<10)).StatusCode)
	ok := head + "Content-Length: 20\r\nX: " + strings.Repeat("x", 12<<10) + "\r\n\r\n" + `{"id":1,"name":"fe"}`
	assert.Equal(t, 200, raw(t, local.URL, ok).StatusCode)
}

func TestRequestsUnderWayAreAnsweredBeforeTheServerStops(t *testing.T) {
	entered, leave := make(chan bool), make(chan bool)
	s := reference.New(reference.Config{Tokens: []string{"secret"}, Alter: func(s *reference.Stages) {
		s.Append = func(context.Context, reference.Plant) error { entered <- true; <-leave; return nil }
	}})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended, status := make(chan error, 1), make(chan int, 1)
	go func() { ended <- s.Serve(ctx, ln, nil) }()
	go func() {
		status <- raw(t, ln.Addr().String(), head+"Content-Length: 22\r\n\r\n"+mild).StatusCode
	}()
	<-entered
	cancel()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err == nil {
			c.Close()
		}
		return err != nil
	}, 5*time.Second, time.Millisecond, "nobody else is let in")
	leave <- true
	assert.Equal(t, 200, <-status)
	assert.NoError(t, <-ended)
}

func TestOverTLSBothVersionsOfHTTPAreSpoken(t *testing.T) {
	// httptest has a certificate for the loopback address.
	lent := httptest.NewTLSServer(nil)
	certs, roots := &tls.Config{Certificates: lent.TLS.Certificates}, lent.Client().Transport.(*http.Transport).TLSClientConfig
	lent.Close()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server().Serve(ctx, ln, certs) }()
	for version, two := range map[int]bool{1: false, 2: true} {
		transport := &http.Transport{TLSClientConfig: roots.Clone(), ForceAttemptHTTP2: two}
		for body, want := range map[string]int{mild: 200, "{": 400, strings.Repeat(" ", reference.MaxBody+1): 400} {
			req := request("POST", "https://"+ln.Addr().String()+"/plants", body)
			req.RequestURI = ""
			resp, err := (&http.Client{Transport: transport}).Do(req)
			require.NoError(t, err)
			answer, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			resp.Body.Close()
			assert.Equal(t, version, resp.ProtoMajor)
			assert.Equal(t, want, resp.StatusCode, string(answer))
			assert.False(t, resp.Close)
		}
		chunked := request("POST", "https://"+ln.Addr().String()+"/plants", mild)
		chunked.RequestURI, chunked.ContentLength = "", -1
		resp, err := (&http.Client{Transport: transport}).Do(chunked)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, version == 1, resp.Close, "whether it had a length too cannot be seen there")
		transport.CloseIdleConnections()
	}
	cancel()
	assert.NoError(t, <-ended)
}
