package variants

import (
	"net"
	"net/http"
	"sync"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// counter counts by key.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func newCounter() *counter { return &counter{n: map[string]int{}} }

// add counts one more and gives the count.
func (c *counter) add(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[key]++
	return c.n[key]
}

// around makes a change that wraps the handler, with state of its own.
func around(make func() func(w http.ResponseWriter, r *http.Request, next http.Handler)) alter.Change {
	return alter.Handler(func(next http.Handler) http.Handler {
		f := make()
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(w, r, next) })
	})
}

// delayed waits before every request.
func delayed(d time.Duration) alter.Change {
	return alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(d):
				next.ServeHTTP(w, r)
			case <-r.Context().Done():
			}
		})
	})
}

// listening changes the listener.
func listening(f func(net.Listener) net.Listener) alter.Change {
	return func(s *reference.Stages) {
		next := s.Listen
		s.Listen = func(ln net.Listener) net.Listener { return f(next(ln)) }
	}
}

func tune(f func(*http.Server)) alter.Change {
	return func(s *reference.Stages) { s.Tune = tuned(s.Tune, f) }
}

func unavailable(status int, wait string) http.HandlerFunc {
	page := alter.Page(status)
	page.Header = http.Header{"Retry-After": {wait}}
	return alter.Give(page)
}

// pace serves slowly, seldom, or one after the other.
func pace() []Variant {
	return []Variant{
		{Name: "slow", Doc: "takes 20 ms for every answer", alter: delayed(20 * time.Millisecond)},
		{Name: "cold", Doc: "takes a second for the first answer, as functions in the cloud do", alter: around(func() func(http.ResponseWriter, *http.Request, http.Handler) {
			var once sync.Once
			return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				once.Do(func() { time.Sleep(time.Second) })
				next.ServeHTTP(w, r)
			}
		})},
		{Name: "uneven", Doc: "takes half a second for one answer in a hundred, as garbage collectors do", alter: around(func() func(http.ResponseWriter, *http.Request, http.Handler) {
			c := newCounter()
			return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if c.add("")%100 == 0 {
					time.Sleep(500 * time.Millisecond)
				}
				next.ServeHTTP(w, r)
			}
		})},
		{Name: "serial", Doc: "works on one request at a time and lets the others wait", alter: around(func() func(http.ResponseWriter, *http.Request, http.Handler) {
			var mu sync.Mutex
			return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				mu.Lock()
				defer mu.Unlock()
				next.ServeHTTP(w, r)
			}
		})},
		{Name: "one-connection", Doc: "serves one connection at a time and lets the others wait until it is closed, idle for two seconds at most",
			alter: alter.All(listening(oneConnection), tune(func(hs *http.Server) { hs.IdleTimeout = 2 * time.Second }))},
		{Name: "one-connection-impatient", Doc: "serves one connection at a time and closes it when it was idle for 150 ms",
			alter: alter.All(listening(oneConnection), tune(func(hs *http.Server) { hs.IdleTimeout = 150 * time.Millisecond }))},
		{Name: "one-connection-closing", Doc: "serves one connection at a time and closes it after one answer, as development servers do",
			alter: alter.All(listening(oneConnection), headers(http.Header{"Connection": {"close"}}))},
		{Name: "idle-close", Doc: "closes connections that are idle for 20 ms", alter: tune(func(hs *http.Server) { hs.IdleTimeout = 20 * time.Millisecond })},
		{Name: "throttled", Doc: "answers 429 with Retry-After to one request in ten, and takes it the next time", alter: around(func() func(http.ResponseWriter, *http.Request, http.Handler) {
			c := newCounter()
			wait := unavailable(http.StatusTooManyRequests, "0")
			return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if c.add("")%10 == 0 {
					wait(w, r)
					return
				}
				next.ServeHTTP(w, r)
			}
		})},
		{Name: "warming-up", Doc: "answers 503 with Retry-After for half a second after the first request", alter: around(warmingUp)},
		{Name: "base-path", Doc: "stands under a path of its own", Path: "/garden/v1", alter: alter.Handler(func(next http.Handler) http.Handler {
			return http.StripPrefix("/garden/v1", next)
		})},
	}
}

func warmingUp() func(http.ResponseWriter, *http.Request, http.Handler) {
	var once sync.Once
	var ready time.Time
	wait := unavailable(http.StatusServiceUnavailable, "1")
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		once.Do(func() { ready = time.Now().Add(500 * time.Millisecond) })
		if time.Now().Before(ready) {
			wait(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}
}

// oneConnection accepts a connection only when the one before is closed.
func oneConnection(ln net.Listener) net.Listener {
	l := &serialListener{Listener: ln, free: make(chan struct{}, 1), closed: make(chan struct{})}
	l.free <- struct{}{}
	return l
}

type serialListener struct {
	net.Listener
	free   chan struct{}
	once   sync.Once
	closed chan struct{}
}

// Accept implements [net.Listener].
func (l *serialListener) Accept() (net.Conn, error) {
	select {
	case <-l.free:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		l.free <- struct{}{}
		return nil, err
	}
	return &serialConn{Conn: conn, free: l.free}, nil
}

// Close implements [net.Listener].
func (l *serialListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type serialConn struct {
	net.Conn
	once sync.Once
	free chan struct{}
}

// Close implements [net.Conn].
func (c *serialConn) Close() error {
	defer c.once.Do(func() { c.free <- struct{}{} })
	return c.Conn.Close()
}
