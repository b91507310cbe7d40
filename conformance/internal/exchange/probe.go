package exchange

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// link is the TCP connection below TLS. It can be switched to reads that do
// not wait, so that a kept connection is looked at through the same layers
// that read it, TLS records and session tickets included.
type link struct {
	net.Conn
	glance
	peeking bool
	eof     bool // TCP ended; with TLS above, perhaps without close_notify
}

// Read reads what there is; while peeking it returns os.ErrDeadlineExceeded,
// which crypto/tls takes as temporary, where nothing is there.
func (l *link) Read(b []byte) (n int, err error) {
	if l.peeking {
		n, err = l.read(l.Conn, b)
	} else {
		l.hurry()
		n, err = l.Conn.Read(b)
	}
	if errors.Is(err, io.EOF) {
		l.eof = true
	}
	return n, err
}

// waiting tells, without waiting, whether an idle connection may take another
// request, and returns bytes that lie on it and nobody asked for. A deadline
// in the future must be set.
func (c *Conn) waiting() (unasked []byte, usable bool) {
	c.link.peeking = true
	defer func() { c.link.peeking = false }()
	return c.unasked()
}

func (c *Conn) unasked() ([]byte, bool) {
	err := c.p.fill()
	switch {
	case err == nil:
		rest := c.p.buffered()
		return append([]byte(nil), rest[:min(len(rest), c.client.limits.Surplus)]...), false
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, true
	}
	return nil, false
}

// listen waits for bytes nobody asked for.
func (c *Conn) listen(wait time.Duration) ([]byte, bool) {
	if err := c.raw.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return nil, false
	}
	return c.unasked()
}
