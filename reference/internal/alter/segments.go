package alter

import (
	"bytes"
	"net"
	"slices"
	"strconv"
	"strings"

	"plantstore/reference"
)

// Segments changes what comes in one piece from a client before net/http reads it. Where
// f returns nil, the connection is closed.
func Segments(f func(b []byte) []byte) Change {
	return func(s *reference.Stages) {
		next := s.Listen
		s.Listen = func(ln net.Listener) net.Listener { return segmentListener{next(ln), f} }
	}
}

type segmentListener struct {
	net.Listener
	change func([]byte) []byte
}

// Accept implements [net.Listener].
func (l segmentListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &segmentConn{Conn: conn, change: l.change}, nil
}

// segmentConn changes what passes through it.
type segmentConn struct {
	net.Conn
	change func([]byte) []byte
	left   []byte // read, and not yet asked for
}

// Read implements [net.Conn]. One goroutine reads at a time.
func (c *segmentConn) Read(p []byte) (int, error) {
	if len(c.left) == 0 {
		buf := make([]byte, 64<<10)
		n, err := c.Conn.Read(buf)
		if n == 0 {
			return 0, err
		}
		if c.left = c.change(buf[:n]); len(c.left) == 0 {
			_ = c.Close() // the client sees it
			return 0, net.ErrClosed
		}
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

// Request is a request that came in one piece.
type Request struct {
	Lines []string // of the head: request line and fields
	After []byte   // what follows the head
}

// Whole reads a POST that begins a piece. It returns false if its head is not there.
func Whole(b []byte) (r Request, ok bool) {
	head, after, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	return Request{strings.Split(string(head), "\r\n"), after}, ok && bytes.HasPrefix(b, []byte("POST "))
}

// Split reads the POSTs with a length that a piece consists of. It returns false if there
// is anything else.
func Split(b []byte) (list []Request, ok bool) {
	for len(b) > 0 {
		r, whole := Whole(b)
		lengths := r.Values("Content-Length")
		if !whole || len(lengths) != 1 {
			return nil, false
		}
		n, err := strconv.Atoi(lengths[0])
		if err != nil || n < 0 || n > len(r.After) {
			return nil, false
		}
		b = r.After[n:]
		r.After = r.After[:n]
		list = append(list, r)
	}
	return list, true
}

// Join writes requests one after the other.
func Join(list []Request) []byte {
	var b []byte
	for i := range list {
		b = append(b, list[i].Bytes()...)
	}
	return b
}

// Values returns the values of the fields of a name.
func (r *Request) Values(name string) []string {
	if len(r.Lines) == 0 {
		return nil
	}
	var out []string
	for _, line := range r.Lines[1:] {
		if n, v, _ := strings.Cut(line, ":"); strings.EqualFold(n, name) {
			out = append(out, strings.TrimSpace(v))
		}
	}
	return out
}

// Set replaces all fields of a name by one.
func (r *Request) Set(name, value string) {
	r.Drop(name)
	r.Lines = append(r.Lines, name+": "+value)
}

// Drop removes the fields of a name.
func (r *Request) Drop(name string) {
	r.Lines = slices.DeleteFunc(r.Lines, func(line string) bool {
		n, _, _ := strings.Cut(line, ":")
		return strings.EqualFold(n, name)
	})
}

// Bytes writes the request.
func (r *Request) Bytes() []byte {
	return append([]byte(strings.Join(r.Lines, "\r\n")+"\r\n\r\n"), r.After...)
}
