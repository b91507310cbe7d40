package exchange

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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

// secure serves h over TLS and returns it with options that trust it.
func secure(t *testing.T, h http.HandlerFunc) (*httptest.Server, Options) {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}} // h2 must not be chosen
	srv.StartTLS()
	t.Cleanup(srv.Close)
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	return srv, Options{TLS: &tls.Config{RootCAs: roots}}
}

func TestTLSKeepsOneConnectionAndSpeaksHTTP1(t *testing.T) {
	srv, o := secure(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Proto", r.Proto+" "+r.TLS.NegotiatedProtocol)
		_, _ = w.Write(b)
	})
	c := clientFor(t, srv.URL, o)
	s := c.Session()
	defer s.Close()
	for i := range 10 {
		body := strings.Repeat("x", i*30_000)
		e := s.Do(t.Context(), post(c, body), 0)
		require.Nil(t, e.Failure)
		assert.Equal(t, i == 0, e.Fresh, "a session ticket is no surplus")
		assert.Equal(t, body, string(e.Response.Body))
		assert.Equal(t, "HTTP/1.1 http/1.1", e.Response.Get("X-Proto"))
		assert.Empty(t, e.Response.Oddities)
	}
	assert.Empty(t, o.TLS.NextProtos, "the caller's configuration is not touched")
}

func TestTLSThatCannotBeTrustedFails(t *testing.T) {
	srv, o := secure(t, baseline)
	named := o.TLS.Clone()
	named.ServerName = "plants.test"
	for name, row := range map[string]struct {
		config *tls.Config
		detail string
	}{
		"unknown authority": {nil, "certificate signed by an unknown authority"},
		"other name":        {named, "certificate is for another name"},
		"other version":     {&tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS11}, "the server refused: tls: protocol version not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			c := clientFor(t, srv.URL, Options{TLS: row.config})
			e := c.Session().Do(t.Context(), post(c, ""), 0)
			require.NotNil(t, e.Failure)
			assert.Equal(t, TLSFailed, e.Failure.Kind)
			assert.Equal(t, row.detail, e.Failure.Detail)
		})
	}
	c := clientFor(t, srv.URL, Options{TLS: &tls.Config{InsecureSkipVerify: true}})
	s := c.Session()
	defer s.Close()
	assert.Nil(t, s.Do(t.Context(), post(c, ""), 0).Failure)
}

func TestMissingClientCertificateIsATLSFailure(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(baseline))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	srv.StartTLS()
	defer srv.Close()
	c := clientFor(t, srv.URL, Options{TLS: &tls.Config{InsecureSkipVerify: true}})
	e := c.Session().Do(t.Context(), post(c, ""), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, TLSFailed, e.Failure.Kind)
	assert.Equal(t, "the server refused: tls: certificate required", e.Failure.Detail)
}

func TestServerWithoutTLSIsNamed(t *testing.T) {
	for detail, script := range map[string]func(int, *peer){
		"the server does not talk tls":           func(_ int, p *peer) { p.say("HTTP/1.1 400 Bad Request\r\n\r\n"); p.gone() },
		"connection closed inside the handshake": func(int, *peer) {},
	} {
		url := strings.Replace(scripted(t, script), "http:", "https:", 1)
		c := clientFor(t, url, Options{})
		e := c.Session().Do(t.Context(), post(c, ""), 0)
		require.NotNil(t, e.Failure)
		assert.Equal(t, TLSFailed, e.Failure.Kind)
		assert.Equal(t, detail, e.Failure.Detail)
	}
	url := strings.Replace(scripted(t, func(_ int, p *peer) { <-p.over }), "http:", "https:", 1)
	c := clientFor(t, url, Options{Limits: Limits{Dial: 50 * time.Millisecond}})
	e := c.Session().Do(t.Context(), post(c, ""), 500*time.Millisecond)
	require.NotNil(t, e.Failure)
	assert.Equal(t, "timed out: inside the tls handshake", e.Failure.Error())
	assert.GreaterOrEqual(t, e.Took, 500*time.Millisecond, "an exchange has its whole time: a busy machine is slow at handshakes too")
}

func TestEndOfTheContextEndsAHandshake(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	url := strings.Replace(scripted(t, func(_ int, p *peer) {
		_, _ = p.in.ReadByte()
		cancel()
		<-p.over
	}), "http:", "https:", 1)
	c := clientFor(t, url, Options{})
	e := c.Session().Do(ctx, post(c, ""), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Canceled, e.Failure.Kind)
	assert.Less(t, e.Took, prompt)
}

// records serves one TLS connection with script.
func records(t *testing.T, script func(secure *tls.Conn, below net.Conn)) (*Session, *Client) {
	t.Helper()
	lent, o := secure(t, baseline)
	config := &tls.Config{Certificates: lent.TLS.Certificates}
	url := scripted(t, func(_ int, p *peer) {
		conn := tls.Server(p.TCPConn, config)
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			script(conn, p.TCPConn)
		}
	})
	c := clientFor(t, strings.Replace(url, "http:", "https:", 1), o)
	s := c.Session()
	t.Cleanup(s.Close)
	return s, c
}

func TestTLSEndedWithoutCloseNotifyIsTolerated(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\n\r\nuntil close"
	s, c := records(t, func(conn *tls.Conn, below net.Conn) {
		_, _ = io.WriteString(conn, answer)
		_ = below.Close()
	})
	e := s.Do(t.Context(), post(c, ""), 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, "until close", string(e.Response.Body))
	assert.Equal(t, []string{OddNoCloseNotify}, e.Response.Oddities)

	s, c = records(t, func(conn *tls.Conn, _ net.Conn) {
		_, _ = io.WriteString(conn, answer)
		_ = conn.Close()
	})
	e = s.Do(t.Context(), post(c, ""), 0)
	require.Nil(t, e.Failure)
	assert.Empty(t, e.Response.Oddities)
}

func TestSurplusInARecordOfItsOwnIsSeenBeforeTheNextRequest(t *testing.T) {
	said := make(chan struct{}, 2)
	s, c := records(t, func(conn *tls.Conn, _ net.Conn) {
		_, _ = io.WriteString(conn, ok("first"))
		_, _ = io.WriteString(conn, "tail")
		said <- struct{}{}
		_, _ = io.Copy(io.Discard, conn)
	})
	e := s.Do(t.Context(), post(c, ""), 0)
	require.Nil(t, e.Failure)
	<-said
	e = s.Do(t.Context(), post(c, ""), 0)
	require.Nil(t, e.Failure)
	assert.True(t, e.Fresh)
	assert.False(t, e.Retried)
	assert.Equal(t, "tail", string(e.Unasked))
}

func TestCloseNotifyOnAKeptConnectionIsSeenBeforeTheNextRequest(t *testing.T) {
	said := make(chan struct{}, 2)
	s, c := records(t, func(conn *tls.Conn, _ net.Conn) {
		_, _ = io.WriteString(conn, ok("first"))
		_ = conn.CloseWrite()
		said <- struct{}{}
		_, _ = io.Copy(io.Discard, conn)
	})
	for range 2 {
		e := s.Do(t.Context(), post(c, ""), 0)
		require.Nil(t, e.Failure)
		assert.True(t, e.Fresh)
		assert.False(t, e.Retried)
		<-said
	}
}
