package explore_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
)

// scene is a target behind a script, in a bubble where waiting takes no time.
type scene struct {
	*fake.Document
	*fake.Client
	*explore.Target
	t *testing.T
}

// script plays with a target that answers as serve says.
func script(t *testing.T, serve func(d *fake.Document, c fake.Call) *exchange.Exchange, play func(s scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := fake.Plants(t)
		d.Endpoint.NameCases = true
		c := &fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange { return serve(d, call) }}
		o := d.Over(c)
		o.Timeout = 10 * time.Second
		play(scene{d, c, explore.New(o), t})
	})
}

// baseline is a baseline request.
func (s scene) baseline() *message.Message { return s.Baseline(s.Fresh(s.Op())) }

// wrong is the same with a credential that is not valid.
func (s scene) wrong() *message.Message {
	m := s.baseline()
	m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer other" }}}
	return m
}

// send sends one message on a session of its own.
func (s scene) send(m *message.Message) *exchange.Exchange {
	session := s.Session()
	defer session.Close()
	return s.Target.Send(s.t.Context(), session, m, "case", "case")
}

// learn makes the pre-flight, which must succeed, and gives what was learned.
func (s scene) learn() *explore.Facts {
	s.t.Helper()
	assert.True(s.t, s.Learn(s.t.Context()), "%v", s.Reasons)
	return s.Facts
}

// status is the status of an answer, 0 where there is none.
func status(e *exchange.Exchange) int {
	if e == nil || e.Response == nil {
		return 0
	}
	return e.Response.Status
}

// first gives the answers one after the other, and then those of a conforming
// server.
func first(list ...*exchange.Exchange) func(*fake.Document, fake.Call) *exchange.Exchange {
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Number <= len(list) {
			return list[c.Number-1]
		}
		return d.Conforming(c.Request)
	}
}

// conforming is the server that the document describes.
func conforming(d *fake.Document, c fake.Call) *exchange.Exchange { return d.Conforming(c.Request) }

// store is a conforming server that keeps what it accepts, and refuses a value
// of the named members that it has already.
type store struct {
	unique []string
	status int
	seen   map[string]bool
}

func (s *store) serve(d *fake.Document, c fake.Call) *exchange.Exchange {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	e := d.Conforming(c.Request)
	if status(e) != 200 {
		return e
	}
	var mine []string
	for _, m := range message.Values(d.Op(), d.Endpoint.ClassifyBytes(d.Op(), c.Request, c.Body).Body.Root()) {
		if slices.Contains(s.unique, m.Name) {
			mine = append(mine, m.Name+"="+m.Value.Text)
		}
	}
	for _, v := range mine {
		if s.seen[v] {
			return fake.Answer(s.status, "application/json", `{"error":1,"message":"exists"}`)
		}
	}
	for _, v := range mine {
		s.seen[v] = true
	}
	return e
}
