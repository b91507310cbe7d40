package exchange

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionIsUsedByHandWithoutRetry(t *testing.T) {
	c := clientFor(t, scripted(t, func(_ int, p *peer) {
		p.request()
		p.say(ok("first"))
		p.request()
	}), Options{})
	conn, f := c.dial(t.Context(), time.Now().Add(c.limits.Dial))
	require.Nil(t, f)
	assert.True(t, conn.usable)
	e := conn.Do(t.Context(), post(c, "{}"), 0)
	require.Nil(t, e.Failure)
	assert.True(t, conn.usable)
	e = conn.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.False(t, conn.usable)
	conn.Close()
	e = conn.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.Zero(t, e.Written)
}

func TestDialFailuresHaveNamesThatDoNotVary(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	open := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{Port: 4711}, Err: os.NewSyscallError("connect", err)}
	}
	for want, err := range map[string]error{
		"timed out: no connection":                                       open(os.ErrDeadlineExceeded),
		"unreachable: no such host":                                      &net.DNSError{IsNotFound: true},
		"unreachable: host name cannot be looked up":                     &net.DNSError{Server: "10.0.0.1"},
		"unreachable: connection refused":                                open(syscall.ECONNREFUSED),
		"unreachable: no route to the host":                              open(syscall.EHOSTUNREACH),
		"unreachable: cannot connect":                                    open(syscall.EACCES),
		"not sent: no free port for another connection":                  open(syscall.EADDRNOTAVAIL),
		"not sent: too many open files":                                  open(syscall.EMFILE),
		"dropped: connection closed before the first byte of the answer": open(syscall.ECONNRESET),
	} {
		f := dialFailure(t.Context(), err)
		assert.Equal(t, want, f.Error())
		require.ErrorIs(t, f, err)
	}
	assert.Equal(t, "canceled: the run was stopped", dialFailure(over, errors.New("any")).Error())
}

func TestKindsAndFramingsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := Unreachable; k <= Canceled; k++ {
		seen[k.String()] = true
	}
	assert.Len(t, seen, int(Canceled))
	assert.Equal(t, "no failure", FailureKind(0).String())
	assert.Equal(t, "too large", (&Failure{Kind: TooLarge}).Error())
	for want, f := range map[string]Framing{"none": None, "length": Length, "chunked": Chunked, "until close": UntilClose} {
		assert.Equal(t, want, f.String())
	}
}

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

// TestTheLastPieceWaitsForTheGate: another request is answered between the pieces.
func TestTheLastPieceWaitsForTheGate(t *testing.T) {
	gate := NewGate()
	s, c := session(t, Options{Limits: Limits{Rest: time.Minute}}, func(_ int, p *peer) {
		first, last := make([]byte, 2), make([]byte, 4)
		p.head()
		_, _ = io.ReadFull(p.in, first)
		<-gate.Held()
		assert.Zero(t, p.in.Buffered())
		gate.Open()
		_, _ = io.ReadFull(p.in, last)
		assert.Equal(t, "ab+cdef", string(first)+"+"+string(last))
		p.say(ok("got it"))
		p.gone()
	})
	r := post(c, "abcdef")
	r.Cuts, r.Gate = []int{0, 2}, gate
	require.Nil(t, s.Do(t.Context(), r, 0).Failure)
}

func TestAGateThatNobodyOpensHoldsARequestForATimeOnly(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Rest: 300 * time.Millisecond}}, func(_ int, p *peer) {
		p.request()
		p.say(ok("got it"))
		p.gone()
	})
	r := post(c, "abcdef")
	r.Cuts, r.Gate = []int{0, 2}, NewGate()
	e := s.Do(t.Context(), r, 0)
	require.Nil(t, e.Failure)
	assert.GreaterOrEqual(t, e.Took, 300*time.Millisecond)
}

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

const (
	connections  = 8
	baselineBody = `{"id":1187452,"name":"case 42 of the suite"}`
)

// baseline answers as a plant store would.
func baseline(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"name":"case 42 of the suite"}`))
}

// BenchmarkAgainstNetHTTP prints how many exchanges a session does for each
// one of net/http's client, both against the same handler over the same number
// of connections, turn and turn about.
func BenchmarkAgainstNetHTTP(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(baseline))
	defer srv.Close()
	c := clientFor(b, srv.URL, Options{})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()

	sessions := make([]*Session, connections)
	for i := range sessions {
		sessions[i] = c.Session()
		defer sessions[i].Close()
	}
	r := post(c, baselineBody, Field{"Accept", "application/json"}, Field{"Authorization", "Bearer t"})
	ours := func(worker int) {
		if e := sessions[worker].Do(ctx, r, 0); e.Failure != nil || e.Response.Status != 200 {
			b.Error(e.Failure)
		}
	}
	transport := &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	theirs := func(int) {
		req, err := http.NewRequestWithContext(ctx, "POST", srv.URL+"/plants", bytes.NewReader([]byte(baselineBody)))
		if err != nil {
			b.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json")
		req.Header.Set("Authorization", "Bearer t")
		resp, err := client.Do(req)
		if err != nil {
			b.Error(err)
			return
		}
		_, _ = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
	}
	var took [2]time.Duration
	const turn = 400
	for n := 0; n < b.N; n += turn {
		for i, do := range []func(int){ours, theirs} {
			began := time.Now()
			inParallel(min(turn, b.N-n), do)
			took[i] += time.Since(began)
		}
	}
	require.NotZero(b, took[0])
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "x-net/http")
	b.ReportMetric(float64(b.N)/took[0].Seconds(), "exchanges/s")
}

// BenchmarkDo shows what one exchange costs, the server in this process
// included.
func BenchmarkDo(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(baseline))
	defer srv.Close()
	c := clientFor(b, srv.URL, Options{})
	s := c.Session()
	defer s.Close()
	r := post(c, baselineBody)
	b.ReportAllocs()
	for b.Loop() {
		if e := s.Do(b.Context(), r, 0); e.Failure != nil {
			b.Fatal(e.Failure)
		}
	}
}

// BenchmarkReadResponse shows what reading one answer costs by itself.
func BenchmarkReadResponse(b *testing.B) {
	const raw = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: 31\r\n\r\n{\"name\":\"case 42 of the suite\"}"
	l := DefaultLimits()
	src := new(bytes.Reader)
	p := &parser{reader: reader{src: src}, limits: &l, dec: new(decoder)}
	r := new(Request)
	b.ReportAllocs()
	for b.Loop() {
		src.Reset([]byte(raw))
		p.begin()
		resp, err := p.next()
		if err == nil {
			err = p.finish(resp, r)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// parallel runs n calls of do on as many workers as there are connections.
func inParallel(n int, do func(worker int)) {
	var wg sync.WaitGroup
	for worker := range connections {
		wg.Go(func() {
			for i := worker; i < n; i += connections {
				do(worker)
			}
		})
	}
	wg.Wait()
}
