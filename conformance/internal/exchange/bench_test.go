package exchange

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
