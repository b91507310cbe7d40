package reference

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"plantstore/reference/kit"
)

// framing follows the bytes of one connection from request to request, as far
// as is needed to see every head. What is malformed ends it: net/http refuses
// that too and closes the connection.
type framing struct {
	requests int
	lost     bool
	skip     int64  // bytes of a body still to come
	line     []byte // what has come of a line
	in       part
	size     int // bytes of the head so far
	head     heads
}

// part is what the next line belongs to.
type part int

const (
	ofHead part = iota
	ofChunk
	ofTrailer
)

// heads is what a head says of its body.
type heads struct {
	begun, length, coding, chunked, old bool
	bytes                               int64
	field                               string // not taken yet: its next line may continue it
}

// maxLine bounds what is kept of a line; net/http takes no longer head.
const maxLine = maxHeaderBytes + 8<<10

// follow takes bytes and gives the numbers, from 1, of the requests whose heads
// ended in them and hold both fields, or a coding before HTTP/1.1.
func (f *framing) follow(b []byte) (doubtful []int) {
	for len(b) > 0 && !f.lost {
		if f.skip > 0 {
			n := min(f.skip, int64(len(b)))
			f.skip, b = f.skip-n, b[n:]
			continue
		}
		end := bytes.IndexByte(b, '\n')
		if end < 0 {
			f.keep(b)
			return doubtful
		}
		f.keep(b[:end])
		b = b[end+1:]
		line := string(bytes.TrimSuffix(f.line, []byte("\r")))
		f.line = f.line[:0]
		if f.ended(line) {
			doubtful = append(doubtful, f.requests)
		}
	}
	return doubtful
}

func (f *framing) keep(b []byte) {
	if f.size += len(b); f.size > maxLine {
		f.lost, f.line = true, nil
		return
	}
	f.line = append(f.line, b...)
}

// ended takes a whole line and tells whether it ended a doubtful head.
func (f *framing) ended(line string) bool {
	switch {
	case f.lost:
	case f.in == ofChunk:
		f.size = 0
		text, _, _ := strings.Cut(line, ";")
		size, err := strconv.ParseUint(strings.TrimRight(text, " \t"), 16, 62)
		switch {
		case err != nil:
			f.lost = true
		case size == 0:
			f.in = ofTrailer
		default:
			f.skip = int64(size) + 2
		}
	case f.in == ofTrailer && line == "":
		f.in, f.size = ofHead, 0
	case f.in == ofTrailer:
	case line != "":
		f.head.read(line)
	case f.head.begun:
		return f.endHead()
	}
	return false
}

// endHead finds out what follows a head.
func (f *framing) endHead() bool {
	f.head.take()
	h := f.head
	f.head, f.size = heads{}, 0
	f.requests++
	switch {
	case h.chunked && !h.old:
		f.in = ofChunk
	default:
		f.skip = max(0, h.bytes)
	}
	return h.coding && (h.length || h.old)
}

// read takes one line of a head. One that begins with a blank continues the
// field before it (RFC 9112, 5.2).
func (h *heads) read(line string) {
	switch {
	case !h.begun:
		h.begun, h.old = true, strings.HasSuffix(line, "HTTP/1.0")
	case line[0] == ' ' || line[0] == '\t':
		h.field += " " + strings.TrimSpace(line)
	default:
		h.take()
		h.field = line
	}
}

// take reads the field that has come to its end.
func (h *heads) take() {
	name, value, _ := strings.Cut(h.field, ":")
	value = strings.TrimSpace(value)
	switch {
	case strings.EqualFold(name, "Content-Length"):
		h.length = true
		h.bytes, _ = strconv.ParseInt(value, 10, 63) // net/http refuses what is no number
	case strings.EqualFold(name, "Transfer-Encoding"):
		h.coding = true
		h.chunked = h.chunked || strings.EqualFold(value, "chunked") // net/http takes no other
	}
}

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
