package target_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/target"
)

// scene is a target behind a script, in a bubble where waiting takes no time.
type scene struct {
	*fake.Document
	*fake.Client
	*target.Target
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
		play(scene{d, c, target.New(o), t})
	})
}

// baseline is a baseline request.
func (s scene) baseline() *request.Message { return s.Baseline(s.Fresh(s.Op())) }

// wrong is the same with a credential that is not valid.
func (s scene) wrong() *request.Message {
	m := s.baseline()
	m.Credentials = []request.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer other" }}}
	return m
}

// send sends one message on a session of its own.
func (s scene) send(m *request.Message) *exchange.Exchange {
	session := s.Session()
	defer session.Close()
	return s.Target.Send(s.t.Context(), session, m, "case", "case")
}

// learn makes the pre-flight, which must succeed, and gives what was learned.
func (s scene) learn() *target.Facts {
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
	for _, m := range request.Values(d.Op(), d.Endpoint.ClassifyBytes(d.Op(), c.Request, c.Body).Body.Root()) {
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
