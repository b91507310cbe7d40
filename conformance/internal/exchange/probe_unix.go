//go:build unix

package exchange

import (
	"io"
	"net"
	"os"
	"syscall"
)

// glance reads a socket without waiting. Its closure is made once, for it is
// used before every request.
type glance struct {
	conn syscall.RawConn
	try  func(fd uintptr) bool
	buf  []byte
	n    int
	err  error
}

func (g *glance) prepare(sc syscall.Conn) {
	conn, err := sc.SyscallConn()
	if err != nil {
		return
	}
	g.conn = conn
	g.try = func(fd uintptr) bool {
		g.n, g.err = syscall.Read(int(fd), g.buf) // Go's sockets never block
		return true
	}
}

// hurry asks for acknowledgements without delay.
func (g *glance) hurry() {
	if g.conn != nil {
		_ = g.conn.Control(acknowledge) // fails on a closed connection only, which the reading shows
	}
}

func (g *glance) read(_ net.Conn, b []byte) (int, error) {
	if g.conn == nil {
		return 0, os.ErrDeadlineExceeded
	}
	g.buf = b
	err := g.conn.Read(g.try)
	g.buf = nil
	switch {
	case err != nil:
		return 0, err
	case g.err == syscall.EAGAIN, g.err == syscall.EINTR:
		return 0, os.ErrDeadlineExceeded
	case g.err != nil:
		return 0, g.err
	case g.n == 0:
		return 0, io.EOF
	}
	return g.n, nil
}
