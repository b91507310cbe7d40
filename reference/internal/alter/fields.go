package alter

import (
	"bytes"
	"net"
	"net/http"
	"slices"
	"strings"

	"plantstore/reference"
)

// orderField is added to the head of each request: net/http forgets the order.
const orderField = "X-Order-Of-Fields"

// Order gives the names of the fields of a request in lower case, in the order
// in which they came. There are none without [KeepOrder], or where the head came
// in pieces.
func Order(r *http.Request) []string {
	return strings.Fields(strings.ReplaceAll(r.Header.Get(orderField), ",", " "))
}

// Before tells whether a field came before another one; both came.
func Before(r *http.Request, first, second string) bool {
	order := Order(r)
	i, j := slices.Index(order, first), slices.Index(order, second)
	return i >= 0 && i < j
}

// KeepOrder lets stages ask for the order of the fields of a request.
func KeepOrder(s *reference.Stages) {
	next := s.Listen
	s.Listen = func(ln net.Listener) net.Listener { return orderListener{next(ln)} }
}

type orderListener struct{ net.Listener }

// Accept implements [net.Listener].
func (l orderListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &orderConn{Conn: conn}, nil
}

// orderConn adds the field to the heads that pass through it.
type orderConn struct {
	net.Conn
	left []byte // read, and not yet asked for
}

// Read implements [net.Conn]. One goroutine reads at a time.
func (c *orderConn) Read(p []byte) (int, error) {
	if len(c.left) == 0 {
		buf := make([]byte, 64<<10)
		n, err := c.Conn.Read(buf)
		if n == 0 {
			return 0, err
		}
		c.left = withOrder(buf[:n])
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

// withOrder adds the field to bytes that start with a head.
func withOrder(b []byte) []byte {
	head, rest, whole := bytes.Cut(b, []byte("\r\n\r\n"))
	if !whole || !bytes.HasPrefix(b, []byte("POST ")) {
		return b
	}
	var names []string
	for _, line := range strings.Split(string(head), "\r\n")[1:] {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, strings.ToLower(name))
	}
	return slices.Concat(head, []byte("\r\n"+orderField+": "+strings.Join(names, ",")+"\r\n\r\n"), rest)
}
