package alter

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/reference"
)

// orderField is added to the head of each request: net/http forgets the order.
const orderField = "X-Order-Of-Fields"

// Order returns the names of the fields of a request in lower case, in the order in
// which they came. There are none without [KeepOrder], or if the head came in pieces.
func Order(r *http.Request) []string {
	return strings.Fields(strings.ReplaceAll(r.Header.Get(orderField), ",", " "))
}

// Before reports whether a field came before another one, if both came.
func Before(r *http.Request, first, second string) bool {
	order := Order(r)
	i, j := slices.Index(order, first), slices.Index(order, second)
	return i >= 0 && i < j
}

// KeepOrder lets stages ask for the order of the fields of a request.
func KeepOrder(s *reference.Stages) { Heads(withOrder)(s) }

// Heads changes the heads of requests, without their empty line, before net/http
// reads them, but for those that come in pieces.
func Heads(f func(head string) string) Change {
	return posts(func(head, rest []byte) []byte { return slices.Concat([]byte(f(string(head))+"\r\n\r\n"), rest) })
}

// Chunks changes the chunks of request bodies that come in one piece with their heads.
func Chunks(f func(chunk []byte) []byte) Change {
	return posts(func(head, rest []byte) []byte {
		out := append(slices.Clone(head), "\r\n\r\n"...)
		if !bytes.Contains(head, []byte("\r\nTransfer-Encoding: chunked")) {
			return append(out, rest...)
		}
		for {
			line, behind, _ := bytes.Cut(rest, []byte("\r\n"))
			n, err := strconv.ParseUint(string(line), 16, 31)
			if err != nil || n == 0 || int(n) > len(behind) {
				return append(out, rest...)
			}
			chunk := f(behind[:n])
			out = fmt.Appendf(out, "%x\r\n%s", len(chunk), chunk)
			end := min(int(n)+2, len(behind))
			out, rest = append(out, behind[n:end]...), behind[end:]
		}
	})
}

// posts changes the bytes of requests before net/http reads them.
func posts(f func(head, rest []byte) []byte) Change {
	return func(s *reference.Stages) {
		next := s.Listen
		s.Listen = func(ln net.Listener) net.Listener { return headListener{next(ln), f} }
	}
}

type headListener struct {
	net.Listener
	change func(head, rest []byte) []byte
}

// Accept implements [net.Listener].
func (l headListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &headConn{Conn: conn, change: l.change}, nil
}

// headConn changes the requests that pass through it.
type headConn struct {
	net.Conn
	change func(head, rest []byte) []byte
	left   []byte // read, and not yet asked for
}

// Read implements [net.Conn]. One goroutine reads at a time.
func (c *headConn) Read(p []byte) (int, error) {
	if len(c.left) == 0 {
		buf := make([]byte, 64<<10)
		n, err := c.Conn.Read(buf)
		if n == 0 {
			return 0, err
		}
		c.left = c.changed(buf[:n])
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

// changed changes the request that bytes start with.
func (c *headConn) changed(b []byte) []byte {
	head, rest, whole := bytes.Cut(b, []byte("\r\n\r\n"))
	if !whole || !bytes.HasPrefix(b, []byte("POST ")) {
		return b
	}
	return c.change(head, rest)
}

// withOrder adds the field that names the others.
func withOrder(head string) string {
	var names []string
	for _, line := range strings.Split(head, "\r\n")[1:] {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, strings.ToLower(name))
	}
	return head + "\r\n" + orderField + ": " + strings.Join(names, ",")
}
