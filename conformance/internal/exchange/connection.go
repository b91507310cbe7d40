package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// Conn is one connection to the target, for one goroutine at a time.
type Conn struct {
	client *Client
	raw    net.Conn
	tls    *tls.Conn // nil for http
	out    io.Writer // raw or tls
	link   link
	p      parser
	joined []byte // head and body in one piece; reused
	usable bool   // another request may follow
	behind int    // requests that were sent and whose answers were not asked for
	last   string // the case of the last request
}

// Do sends r and reads its answer within timeout (0: Limits.Answer). Unlike a
// session it never dials, never sends twice and never closes by itself; on a
// closed connection the exchange is Dropped.
func (c *Conn) Do(ctx context.Context, r *Request, timeout time.Duration) *Exchange {
	e := &Exchange{Request: r, Began: time.Now()}
	deadline := e.Began.Add(c.client.timeout(timeout))
	switch e.Failure = c.arm(ctx, deadline); {
	case e.Failure != nil:
	case r.Err != nil:
		e.Failure = &Failure{Kind: Local, Detail: r.Err.Error(), Err: r.Err}
	default:
		c.run(ctx, e, deadline)
	}
	e.Took = time.Since(e.Began)
	return e
}

// Close closes the connection, telling a TLS server where it still listens.
func (c *Conn) Close() {
	if c.tls != nil && c.usable {
		_ = c.tls.Close() // nothing depends on how a goodbye is taken
	}
	c.usable = false
	_ = c.raw.Close()
}

func (c *Client) timeout(timeout time.Duration) time.Duration {
	if timeout <= 0 {
		return c.limits.Answer
	}
	return timeout
}

// arm sets the deadline for everything that follows.
func (c *Conn) arm(ctx context.Context, deadline time.Time) *Failure {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	if err := c.raw.SetDeadline(deadline); err != nil {
		c.usable = false
		return dropped(err)
	}
	return nil
}

// run does one exchange on an armed connection.
func (c *Conn) run(ctx context.Context, e *Exchange, deadline time.Time) {
	c.usable = false
	e.After, c.last = c.last, e.Request.Case
	c.p.begin()
	stop := func() bool { return true }
	if ctx.Done() != nil {
		stop = context.AfterFunc(ctx, c.abort)
	}
	s := new(sender)
	err := c.talk(ctx, e, s, deadline)
	c.end(s)
	e.Written = s.n
	if err != nil {
		e.fail(ctx, &c.p, err)
	}
	// a stopped write or a deadline set by the context corrupts what follows
	c.usable = stop() && err == nil && !e.Request.last() && s.err == nil && (e.Request.Behind || s.n == e.Request.size()) &&
		!e.Response.Close && len(e.Response.Surplus) == 0
}

// abort ends whatever the connection waits for.
func (c *Conn) abort() { _ = c.raw.SetDeadline(time.Unix(1, 0)) }

// talk writes the request and reads until the answer is complete. An answer
// may come before the request was sent in full, and what a server said before
// it broke off is still read: so a failed write is not an end.
func (c *Conn) talk(ctx context.Context, e *Exchange, s *sender, deadline time.Time) error {
	r := e.Request
	held := r.AwaitContinue && len(r.Body) > 0
	switch {
	case r.Behind:
	case len(r.Next) > 0:
		c.behind = r.Followers
		c.send(s, r.Head, append(r.Body[:len(r.Body):len(r.Body)], r.Next...))
	case held:
		c.send(s, r.Head, nil)
		c.readBy(ctx, minTime(deadline, time.Now().Add(c.client.limits.Continue)))
	case len(r.Cuts) > 0:
		c.sendCut(s, r)
	default:
		c.send(s, r.Head, r.Body)
	}
	quiet := r.End == EndInSilence
	switch {
	case quiet:
		c.readBy(ctx, minTime(deadline, time.Now().Add(c.client.limits.Silence)))
	case r.End == EndAtOnce:
		c.endHalf(s)
	}
	for {
		resp, err := c.p.next()
		switch {
		case err == nil && !resp.interim():
			if held || r.End == EndInSilence {
				c.readBy(ctx, deadline)
			}
			e.Response = resp
			c.p.more = c.behind > 0
			stream := resp.streams(r)
			if stream {
				c.readStream(ctx, deadline, typeOf(resp.Get("Content-Type")))
			}
			err := c.p.finish(resp, r)
			c.p.part = nil
			if stream && ctx.Err() == nil && resp.leave(err) {
				return nil
			}
			if c.tls != nil && resp.Framing == UntilClose && c.link.eof {
				resp.odd(OddNoCloseNotify)
			}
			return err
		case err == nil:
			if f := e.addInterim(resp, &c.client.limits); f != nil {
				return f
			}
		case !held && !quiet || !isTimeout(err) || !time.Now().Before(deadline):
			return err
		}
		if held {
			held = false
			c.end(s)
			c.readBy(ctx, deadline)
			c.send(s, nil, r.Body)
		}
		if quiet {
			quiet, e.Ended = false, true
			c.endHalf(s)
			until := deadline
			if r.MayWait {
				until = minTime(deadline, time.Now().Add(c.client.limits.Left))
			}
			c.readBy(ctx, until)
		}
	}
}

// endHalf ends the sender's half of the connection behind what it wrote.
func (c *Conn) endHalf(s *sender) {
	if s.writing != nil {
		s.writing.Wait()
	}
	if half, ok := c.out.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // a closed connection says so when read
	}
}

// readBy moves the reading deadline, but not over the end of the context.
func (c *Conn) readBy(ctx context.Context, t time.Time) {
	_ = c.raw.SetReadDeadline(t) // a closed connection says so when read
	if ctx.Err() != nil {
		c.abort()
	}
}

// readStream bounds the time for a body that need not end: it is short, or its first part says what
// the others are.
func (c *Conn) readStream(ctx context.Context, deadline time.Time, media string) {
	until := minTime(deadline, time.Now().Add(c.client.limits.Stream))
	c.readBy(ctx, until)
	c.p.part = func(body []byte) {
		if begun(media, body) {
			c.p.part = nil
			c.readBy(ctx, minTime(until, time.Now().Add(c.client.limits.More)))
		}
	}
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

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

// http2Alone is the detail of the failures of a server that speaks HTTP/2 and
// nothing else.
const http2Alone = "the server speaks http/2 alone"

// HTTP2 reports whether the server showed that it speaks HTTP/2 alone: it refused
// http/1.1 in the TLS handshake (RFC 7301, 3.2), or answered with a frame.
func (f *Failure) HTTP2() bool { return f != nil && f.Detail == http2Alone }

// noProtocol is how crypto/tls words the alert no_application_protocol (RFC 7301,
// 3.2), whose type it does not lend.
const noProtocol = "tls: no application protocol"

// isFrame reports whether b begins with the frame that opens, or at once ends, an
// HTTP/2 connection: SETTINGS or GOAWAY on stream 0 (RFC 9113, 3.4 and 6).
func isFrame(b []byte) bool {
	return len(b) >= 9 && (b[3] == 4 || b[3] == 7) && b[4] == 0 && b[5] == 0 && b[6] == 0 && b[7] == 0 && b[8] == 0
}

// notHTTP1 says what came instead of a status line.
func notHTTP1(b []byte) *Failure {
	if isFrame(b) {
		return malformed(http2Alone)
	}
	return malformed("not an http/1.x response")
}

// HTTP2Alone reports whether the failure of a first exchange is that of a server
// which speaks HTTP/2 alone: it showed so, or it gave no answer and chooses h2
// where a connection offers it (RFC 9113, 3.2).
func (c *Client) HTTP2Alone(ctx context.Context, f *Failure) bool {
	if f == nil || f.HTTP2() || c.tls == nil {
		return f.HTTP2()
	}
	switch f.Kind {
	case Dropped, DroppedWriting, Malformed, Truncated, TLSFailed:
	default:
		return false
	}
	timed, cancel := context.WithTimeout(ctx, c.limits.Dial)
	defer cancel()
	nc, err := c.dialer.DialContext(timed, "tcp", c.target.Address)
	if err != nil {
		return false
	}
	defer nc.Close()
	defer context.AfterFunc(timed, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })()
	config := c.tls.Clone()
	config.NextProtos = []string{"h2"}
	secure := tls.Client(nc, config)
	return secure.HandshakeContext(timed) == nil && secure.ConnectionState().NegotiatedProtocol == "h2"
}

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
