package exchange

import (
	"net"
	"time"

	"plantstore/internal/parallel"
)

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
