package variants

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// budget answers otherwise what comes above so many requests in a second.
func budget(maximum int, over http.HandlerFunc) func() func(http.ResponseWriter, *http.Request, http.Handler) {
	return func() func(http.ResponseWriter, *http.Request, http.Handler) {
		var mu sync.Mutex
		var second int64
		n := 0
		return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			mu.Lock()
			if now := time.Now().Unix(); now != second {
				second, n = now, 0
			}
			n++
			refused := n > maximum
			mu.Unlock()
			if refused {
				over(w, r)
				return
			}
			next.ServeHTTP(w, r)
		}
	}
}

// oneAtATime answers 503 to a request that comes while another is worked on.
func oneAtATime() func(http.ResponseWriter, *http.Request, http.Handler) {
	var mu sync.Mutex
	over := unavailable(http.StatusServiceUnavailable, "1")
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if !mu.TryLock() {
			over(w, r)
			return
		}
		defer mu.Unlock()
		next.ServeHTTP(w, r)
	}
}

// twelveAtATime answers 503 to a request that comes while twelve others are worked on.
func twelveAtATime() func(http.ResponseWriter, *http.Request, http.Handler) {
	places := make(chan struct{}, 12)
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			time.Sleep(2 * time.Millisecond)
			if len(places) > 8 {
				time.Sleep(20 * time.Millisecond) // under load it takes longer
			}
			next.ServeHTTP(w, r)
		default:
			alter.Give(alter.Page(http.StatusServiceUnavailable))(w, r)
		}
	}
}

// oneClient serves one connection until it is closed, and answers 429 on all
// others.
func oneClient(s *reference.Stages) {
	type key struct{}
	var mu sync.Mutex
	var holder net.Conn
	tune(func(hs *http.Server) {
		hs.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, key{}, c) }
		hs.ConnState = func(c net.Conn, state http.ConnState) {
			mu.Lock()
			defer mu.Unlock()
			if holder == c && (state == http.StateClosed || state == http.StateHijacked) {
				holder = nil
			}
		}
	})(s)
	over := unavailable(http.StatusTooManyRequests, "1")
	alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, _ := r.Context().Value(key{}).(net.Conn)
			mu.Lock()
			if holder == nil {
				holder = c
			}
			mine := holder == c
			mu.Unlock()
			if !mine {
				over(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})(s)
}

// limits serve so much and no more, and say so.
func limits() []Variant {
	tooMany := alter.Page(http.StatusTooManyRequests)
	return []Variant{
		{Name: "budget", Doc: "answers 429 with Retry-After to what comes above 600 requests in a second",
			alter: around(budget(600, unavailable(http.StatusTooManyRequests, "1")))},
		{Name: "budget-without-hint", Doc: "answers 429 without Retry-After to what comes above 800 requests in a second", alter: around(budget(800, alter.Give(tooMany)))},
		{Name: "one-client", Doc: "serves one connection at a time and answers 429 with Retry-After on all others until it is closed", alter: oneClient},
		{Name: "one-open", Doc: "closes every connection that is made while another is open, without a word", alter: listening(oneOpen)},
		{Name: "one-at-a-time", Doc: "answers 503 with Retry-After to a request that comes while another is worked on", alter: around(oneAtATime)},
		{Name: "twelve-at-a-time", Doc: "answers 503 without Retry-After to a request beside twelve others", alter: around(twelveAtATime)},
	}
}

// oneOpen closes every connection that is made while another is open.
func oneOpen(ln net.Listener) net.Listener { return &onlyOne{Listener: ln} }

type onlyOne struct {
	net.Listener
	busy atomic.Bool
}

// Accept implements [net.Listener].
func (l *onlyOne) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.busy.CompareAndSwap(false, true) {
			return &onlyConn{Conn: conn, busy: &l.busy}, nil
		}
		_ = conn.Close()
	}
}

type onlyConn struct {
	net.Conn
	once sync.Once
	busy *atomic.Bool
}

// Close implements [net.Conn].
func (c *onlyConn) Close() error {
	defer c.once.Do(func() { c.busy.Store(false) })
	return c.Conn.Close()
}
