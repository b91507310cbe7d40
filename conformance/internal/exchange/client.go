package exchange

import (
	"context"
	"crypto/tls"
	"net"
	"syscall"
	"time"
)

// Options says how to reach a target. The zero value is ready to use.
type Options struct {
	// TLS holds the caller's RootCAs, InsecureSkipVerify and the like for
	// https; nil trusts the system's. Protocols are always HTTP/1.1, the
	// server name is the target's unless set here.
	TLS    *tls.Config
	Limits Limits // zero rows as DefaultLimits
}

// Client dials one target. It may be used by any number of goroutines.
type Client struct {
	target Target
	limits Limits
	tls    *tls.Config // nil for http
	dialer net.Dialer
	dec    decoder
}

// New returns a client for t; it does not connect.
func New(t Target, o Options) *Client {
	c := &Client{target: t, limits: o.Limits.withDefaults()}
	c.dialer.KeepAlive = -1 // no exchange outlives its own time limit
	if t.Scheme == "https" {
		c.tls = &tls.Config{}
		if o.TLS != nil {
			c.tls = o.TLS.Clone()
		}
		c.tls.NextProtos = []string{"http/1.1"}
		if c.tls.ServerName == "" {
			c.tls.ServerName, _, _ = net.SplitHostPort(t.Address)
		}
	}
	return c
}

func (c *Client) dial(ctx context.Context, deadline time.Time) (*Conn, *Failure) {
	timed, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	nc, err := c.dialer.DialContext(timed, "tcp", c.target.Address)
	if err != nil {
		return nil, dialFailure(ctx, err)
	}
	conn := &Conn{client: c, raw: nc, out: nc, usable: true}
	conn.link.Conn = nc
	if sc, ok := nc.(syscall.Conn); ok {
		conn.link.prepare(sc)
	}
	conn.p = parser{reader: reader{src: &conn.link}, limits: &c.limits, dec: &c.dec}
	if c.tls != nil {
		secure := tls.Client(&conn.link, c.tls)
		if err := secure.HandshakeContext(timed); err != nil {
			nc.Close()
			return nil, handshakeFailure(ctx, err)
		}
		conn.tls, conn.out, conn.p.src = secure, secure, secure
	}
	return conn, nil
}
