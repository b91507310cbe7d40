package exchange

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// meter counts what is read.
type meter struct {
	*bytes.Reader
	read int
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.read += n
	return n, err
}

// FuzzReadResponse: no input panics, none is kept or read beyond the limits,
// and how it is cut into segments does not matter.
func FuzzReadResponse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.0 200 OK\n\nbody until close",
		"\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n c\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nsurplus",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\x78\x9c\x03\x00\x00\x00\x00\x01",
		"HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nConnection: close\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\n",
		"garbage", "HTTP/1.", "\r", "",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	l := Limits{
		Head: 200, Fields: 5, Interim: 3, EmptyLines: 2, Body: 300, Framing: 400,
		ChunkLine: 30, Content: 500, Surplus: 20, Received: 40,
	}
	f.Fuzz(func(t *testing.T, raw []byte, head bool) {
		r := &Request{Method: "POST"}
		if head {
			r.Method = "HEAD"
		}
		src := &meter{Reader: bytes.NewReader(raw)}
		e := ReadResponse(src, r, l)
		maximum := (l.Interim+2)*l.Head + l.Body + l.Framing + 4*l.Body + 2*firstBuffer
		require.LessOrEqual(t, src.read, maximum)
		require.LessOrEqual(t, len(e.Interim), l.Interim)
		require.LessOrEqual(t, len(e.Received), l.Received)
		require.True(t, e.Response != nil || e.Failure != nil)
		if e.Response != nil {
			require.LessOrEqual(t, len(e.Response.Head), l.Head)
			require.LessOrEqual(t, len(e.Response.Fields), l.Fields)
			require.LessOrEqual(t, len(e.Response.Body), l.Body)
			require.LessOrEqual(t, len(e.Response.Content), max(l.Content, l.Body))
			require.LessOrEqual(t, len(e.Response.Surplus), l.Surplus)
			require.LessOrEqual(t, len(e.Response.Trailers), l.Fields)
		}
		assertSame(t, e, ReadResponse(iotest.OneByteReader(bytes.NewReader(raw)), r, l))
	})
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
