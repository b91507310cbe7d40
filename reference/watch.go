package reference

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"

	"plantstore/reference/kit"
)

// A request with both Content-Length and Transfer-Encoding may be an attempt to
// smuggle another one in: the connection ends after its answer (RFC 9112, 6.1).
// net/http drops the length before a handler sees it, so the bytes are watched
// on their way to it.

// watchHeads makes a listener whose connections know which of their requests
// came so.
func watchHeads(ln net.Listener) net.Listener { return watchedListener{ln} }

type watchedListener struct{ net.Listener }

// Accept implements [net.Listener].
func (l watchedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{Conn: conn}, nil
}

// watchedConn follows the requests that are read from a connection.
type watchedConn struct {
	net.Conn
	mu      sync.Mutex
	framing framing
	served  int
	// doubtful are the numbers of the requests that came with both fields.
	doubtful []int
}

// Read implements [net.Conn].
func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doubtful = append(c.doubtful, c.framing.follow(p[:n])...)
	return n, err
}

// next counts a request and tells whether the connection must end after it.
func (c *watchedConn) next() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served++
	if len(c.doubtful) == 0 || c.doubtful[0] != c.served {
		return false
	}
	c.doubtful = c.doubtful[1:]
	return true
}

// CloseWrite passes on what limitedConn offers.
func (c *watchedConn) CloseWrite() error { return kit.CloseWrite(c.Conn) }

type connKey struct{}

// remember puts a connection into the context of its requests.
func remember(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// endDoubtful closes the connection after a request whose framing is doubtful.
// Below TLS nothing can be watched: there every chunked request counts as such.
func endDoubtful(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor != 1 {
		return
	}
	end := false
	switch c := r.Context().Value(connKey{}).(type) {
	case *watchedConn:
		end = c.next()
	case *tls.Conn:
		end = len(r.TransferEncoding) > 0
	}
	if end {
		w.Header().Set("Connection", "close")
	}
}
