package fake

import (
	"context"
	"slices"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/message"
)

// Client is a explore.Client without a network. It records what was sent.
//
// A server that takes time sets Took: the client lets that time pass, and an
// answer that takes longer than the client waits is a time-out. Such a test runs
// in a bubble of testing/synctest, where no time is lost.
type Client struct {
	Serve Server
	// ServeCall, if not nil, is called instead of Serve.
	ServeCall func(Call) *exchange.Exchange

	serving sync.Mutex
	mu      sync.Mutex
	calls   []Call
	// concurrent is the number of requests under way.
	concurrent int
	dialled    int
	open       []int // connections, in the order in which they were dialled
}

// Call is a request as the scripted server sees it.
type Call struct {
	*exchange.Request
	// Case is the id of the case, "preflight" or "control". It is empty unless the
	// endpoint names the cases.
	Case string
	// Number counts the requests from 1, Connection the connections that were
	// dialled. Fresh is set for the first request on one.
	Number, Connection int
	Fresh              bool
	// Open is the number of connections that are open, this one included, and
	// Place its place among them, from 1: a server with room for two connections
	// serves places 1 and 2.
	Open, Place int
	// Concurrent is the number of requests under way, this one included.
	Concurrent int
	// Timeout is how long the client waits for the answer.
	Timeout time.Duration
}

// Calls lists the requests so far.
func (c *Client) Calls() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Call(nil), c.calls...)
}

// Sent lists the requests so far.
func (c *Client) Sent() []*exchange.Request {
	var out []*exchange.Request
	for _, call := range c.Calls() {
		out = append(out, call.Request)
	}
	return out
}

// Session opens a session.
func (c *Client) Session() explore.Session { return &session{client: c} }

// HTTP2Alone is false: the server is none.
func (c *Client) HTTP2Alone(context.Context, *exchange.Failure) bool { return false }

// OtherScheme is empty: there is none.
func (c *Client) OtherScheme(context.Context) string { return "" }

func (c *Client) answer(call Call) *exchange.Exchange {
	c.serving.Lock()
	defer c.serving.Unlock()
	if c.ServeCall != nil {
		return c.ServeCall(call)
	}
	return c.Serve(call.Request)
}

// session is one connection at a time; connection is 0 where none is open.
type session struct {
	client     *Client
	connection int
	last       string // the case of the last request
}

func (s *session) Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange {
	if ctx.Err() != nil {
		return &exchange.Exchange{Request: r, Failure: &exchange.Failure{Kind: exchange.Canceled}}
	}
	if r.Err != nil {
		return &exchange.Exchange{Request: r, Failure: &exchange.Failure{Kind: exchange.Dropped}}
	}
	began, call := time.Now(), s.begin(r, timeout)
	defer s.end()
	if r.Gate != nil {
		r.Gate.Wait(exchange.DefaultLimits().Rest)
	}
	e := s.client.answer(call)
	e.Request, e.Began, e.Fresh, e.After = r, began, call.Fresh, s.last
	s.last = r.Case
	switch took := e.Took; {
	case !pass(ctx, min(took, timeout)):
		*e = exchange.Exchange{Request: r, Failure: &exchange.Failure{Kind: exchange.Canceled}}
	case took > timeout:
		*e = exchange.Exchange{Request: r, Fresh: call.Fresh, Took: timeout,
			Failure: &exchange.Failure{Kind: exchange.TimedOut, Detail: "no answer"}}
	}
	if e.Failure != nil {
		s.Fresh()
	}
	return e
}

// begin dials if no connection is open, and records the request.
func (s *session) begin(r *exchange.Request, timeout time.Duration) Call {
	c := s.client
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := s.connection == 0
	if fresh {
		c.dialled++
		s.connection = c.dialled
		c.open = append(c.open, s.connection)
	}
	c.concurrent++
	call := Call{Concurrent: c.concurrent, Request: r, Case: Field(r, message.CaseField), Number: len(c.calls) + 1, Connection: s.connection, Fresh: fresh,
		Open: len(c.open), Place: slices.Index(c.open, s.connection) + 1, Timeout: timeout}
	c.calls = append(c.calls, call)
	return call
}

// end is when the answer came, or none will.
func (s *session) end() {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	s.client.concurrent--
}

// pass lets time pass. It returns false if the context ended first.
func pass(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (s *session) Fresh() {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	s.client.open = slices.DeleteFunc(s.client.open, func(n int) bool { return n == s.connection })
	s.connection, s.last = 0, ""
}

func (s *session) Kept() bool { return s.connection != 0 }

func (s *session) Close() { s.Fresh() }
