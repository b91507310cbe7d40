package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"plantstore/internal/parallel"
)

// Session sends one request after another over at most one connection. It is
// for one goroutine at a time.
type Session struct {
	client *Client
	conn   *Conn // nil, or usable
}

// Session returns a session without a connection.
func (c *Client) Session() *Session { return &Session{client: c} }

// Fresh closes the kept connection, so that the next Do dials.
func (s *Session) Fresh() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// Kept reports whether the session still has the connection of an earlier request.
func (s *Session) Kept() bool { return s.conn != nil }

// Close closes the kept connection. The session may still be used.
func (s *Session) Close() { s.Fresh() }

// Do sends r and reads the answer, all within timeout (0: Limits.Answer). It
// returns when that time is over or ctx ends, never much later, and the
// Exchange is never nil.
//
// A kept connection that has ended, or holds bytes nobody asked for, is
// replaced before anything is sent. One that ends before the first byte of the
// answer, or answers 408, may have been closed as idle: r is sent once more on
// a fresh connection, and only that counts (RFC 9112, 9.3.1 and 9.5).
func (s *Session) Do(ctx context.Context, r *Request, timeout time.Duration) *Exchange {
	e := &Exchange{Request: r, Began: time.Now()}
	s.do(ctx, e, e.Began.Add(s.client.timeout(timeout)))
	e.Took = time.Since(e.Began)
	return e
}

func (s *Session) do(ctx context.Context, e *Exchange, deadline time.Time) {
	if ctx.Err() != nil {
		e.Failure = canceled(ctx)
		return
	}
	if e.Request.Err != nil {
		e.Failure = &Failure{Kind: Local, Detail: e.Request.Err.Error(), Err: e.Request.Err}
		return
	}
	if e.Request.Behind {
		s.next(ctx, e, deadline)
		return
	}
	if s.conn != nil && s.conn.behind > 0 {
		s.Fresh() // the next answers are those to other requests
	}
	var dropped *Failure // by the kept connection
	if s.conn != nil && s.ready(ctx, e, deadline) {
		s.conn.run(ctx, e, deadline)
		if !stale(e) {
			s.keep()
			return
		}
		dropped = e.Failure
		*e = Exchange{Request: e.Request, Began: e.Began, Retried: true}
	}
	s.Fresh()
	e.Fresh = true
	conn, f := s.client.dial(ctx, deadline)
	if f != nil {
		// A server that took the request and is gone since did not refuse the connection first.
		e.Failure = cmp.Or(dropped, f)
		return
	}
	s.conn = conn
	if e.Failure = conn.arm(ctx, deadline); e.Failure == nil {
		conn.run(ctx, e, deadline)
	}
	s.keep()
}

// next reads the answer to a request that was sent behind another one.
func (s *Session) next(ctx context.Context, e *Exchange, deadline time.Time) {
	if s.conn == nil || s.conn.behind == 0 {
		e.Failure = dropped(nil)
		return
	}
	s.conn.behind--
	if e.Failure = s.conn.arm(ctx, deadline); e.Failure == nil {
		s.conn.run(ctx, e, deadline)
	}
	s.keep()
}

// ready arms the kept connection and looks whether it still lives.
func (s *Session) ready(ctx context.Context, e *Exchange, deadline time.Time) bool {
	if s.conn.arm(ctx, deadline) != nil {
		return false
	}
	unasked, usable := s.conn.waiting()
	if !isTimeoutAnswer(unasked) {
		e.Unasked = unasked
	}
	if !usable {
		s.conn.usable = false
	}
	return usable
}

// keep holds on to the connection where another request may follow.
func (s *Session) keep() {
	if !s.conn.usable {
		s.Fresh()
	}
}

// Listen waits for bytes that follow the end of the last answer on the kept
// connection, and returns the first Limits.Surplus of them, but for a 408; the connection is
// then given up. Nil where none came, or no connection is kept.
func (s *Session) Listen(wait time.Duration) []byte {
	if s.conn == nil {
		return nil
	}
	unasked, usable := s.conn.listen(wait)
	if !usable {
		s.conn.usable = false
		s.Fresh()
	}
	if isTimeoutAnswer(unasked) {
		return nil
	}
	return unasked
}

// stale reports whether a kept connection seems to have been closed as idle.
func stale(e *Exchange) bool {
	if f := e.Failure; f != nil {
		return f.Kind == Dropped || f.Kind == DroppedWriting
	}
	return e.Response.Status == 408
}

// isTimeoutAnswer reports whether b begins a 408 (RFC 9110, 15.5.9).
func isTimeoutAnswer(b []byte) bool {
	return bytes.HasPrefix(b, []byte("HTTP/1.")) && len(b) > 12 && string(b[8:12]) == " 408"
}

const eventStream = "text/event-stream"

// streams are media types whose parts follow one another as they come about: a body of such a type
// need not end.
var streams = []string{eventStream, "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json-seq",
	"application/stream+json", "application/x-json-stream", "multipart/x-mixed-replace"}

// Streams reports whether a body of a media type need not end.
func Streams(media string) bool { return slices.Contains(streams, typeOf(media)) }

// typeOf returns a media type without parameters, in lower case.
func typeOf(media string) string {
	t, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// streams reports whether the body of an answer need not end.
func (resp *Response) streams(r *Request) bool {
	return resp.Status/100 == 2 && r.Method != "HEAD" && Streams(resp.Get("Content-Type")) && resp.Get("Content-Length") == ""
}

// leave ends a stream that goes on, and reports whether it does: the time is over or so much came
// that it is not read further. It keeps what came.
func (resp *Response) leave(err error) bool {
	var f *Failure
	large := errors.As(err, &f) && f.Kind == TooLarge
	if !isTimeout(err) && !large {
		return false
	}
	resp.Open, resp.Close = true, true
	if strings.Trim(resp.Get("Content-Encoding"), " \t") == "" {
		resp.Content = resp.Body // a part of coded bytes cannot be decoded
	}
	return true
}

// begun reports whether a stream has a whole part: an event with data, or a line of another type.
func begun(media string, body []byte) bool {
	for line := range bytes.Lines(body) {
		text := bytes.TrimSpace(line)
		event := media != eventStream || bytes.HasPrefix(text, []byte("data"))
		if event && len(text) > 0 && len(line) > len(text) {
			return true
		}
	}
	return false
}

// sender writes a request, beside the reading where it is long.
type sender struct {
	n       int
	err     error
	writing *parallel.Task // nil unless a goroutine writes
}

// send writes head and body in one piece where they fit Limits.Segment: some
// servers close a connection whose body was not there yet.
func (c *Conn) send(s *sender, head, body []byte) {
	l := &c.client.limits
	total := len(head) + len(body)
	if total > l.Segment {
		pieces := net.Buffers{head, body}
		c.background(s, func() (int, error) {
			n, err := pieces.WriteTo(c.out)
			return int(n), err
		})
		return
	}
	whole := body
	if len(head) > 0 {
		if len(body) > 0 {
			c.joined = append(append(c.joined[:0], head...), body...)
			whole = c.joined
		} else {
			whole = head
		}
	}
	if total <= l.Inline {
		n, err := c.out.Write(whole)
		s.n, s.err = s.n+n, err
		return
	}
	c.background(s, func() (int, error) { return c.out.Write(whole) })
}

// sendCut writes head and body in pieces, with a pause before each cut. The last piece
// waits for the gate.
func (c *Conn) sendCut(s *sender, r *Request) {
	whole := append(append(make([]byte, 0, r.size()), r.Head...), r.Body...)
	pause := c.client.limits.Pause
	switch {
	case r.Slow && r.Long:
		pause = c.client.limits.LongRest
	case r.Slow:
		pause = c.client.limits.Rest
	}
	c.background(s, func() (sent int, err error) {
		for i, cut := range append(r.Cuts[:len(r.Cuts):len(r.Cuts)], len(r.Body)) {
			n, err := c.out.Write(whole[sent:max(sent, len(r.Head)+min(cut, len(r.Body)))])
			if sent += n; err != nil || sent == len(whole) {
				return sent, err
			}
			if r.Gate != nil && i == len(r.Cuts)-1 {
				r.Gate.Wait(c.client.limits.Rest)
			}
			time.Sleep(pause)
		}
		return sent, nil
	})
}

func (c *Conn) background(s *sender, write func() (int, error)) {
	s.writing = parallel.Start(func() {
		n, err := write()
		s.n, s.err = s.n+n, err
	})
}

// end stops a write that still goes on and waits for its goroutine. A write
// that had handed over everything is not disturbed.
func (c *Conn) end(s *sender) {
	if s.writing == nil {
		return
	}
	select {
	case <-s.writing.Done():
	default:
		_ = c.raw.SetWriteDeadline(time.Unix(1, 0)) // fails on a closed connection only, which ends the write too
	}
	s.writing.Wait()
	s.writing = nil
}
