package explore_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

func TestARequestThatCameTooLateIsSentAgainOnAnotherConnection(t *testing.T) {
	script(t, first(fake.Answer(408, "", "")), func(s scene) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		require.Len(t, s.Calls(), 2)
		assert.True(t, s.Calls()[1].Fresh, "a server that answers 408 closes the connection")
	})
}

func TestATargetThatAlwaysAnswers408IsNotAskedForEver(t *testing.T) {
	late := func(_ *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Number > 50 {
			return fake.Answer(500, "", "")
		}
		return fake.Answer(408, "", "")
	}
	script(t, late, func(s scene) {
		assert.Equal(t, 408, status(s.send(s.baseline())), "it is the answer, then")
		assert.Len(t, s.Calls(), 1+limits.OutOfTimeTries)
	})
}

func TestATargetThatAsksToWaitIsAskedAgainAfterTheWait(t *testing.T) {
	script(t, first(fake.Throttling("2"), fake.Throttling("")), func(s scene) {
		began := time.Now()
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.GreaterOrEqual(t, time.Since(began), 2*time.Second+limits.ThrottleFirst)
		assert.Equal(t, 2, s.Times(time.Time{}).Limits.Answers)
	})
}

func TestWaitingForTheTargetEndsAndIsNoAnswer(t *testing.T) {
	never := func(_ *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Number > 50 {
			return fake.Answer(500, "", "")
		}
		return fake.Throttling("7")
	}
	script(t, never, func(s scene) {
		began := time.Now()
		assert.Nil(t, s.send(s.baseline()), "429 is no answer to a valid request")
		assert.LessOrEqual(t, time.Since(began), limits.ThrottleWait)
	})
}

// throttlesWrong asks for patience for every wrong credential, and where all is
// set for valid ones too, from the second request on.
func throttlesWrong(all bool) func(*fake.Document, fake.Call) *exchange.Exchange {
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if status(e) == 401 || all && c.Number > 1 {
			return fake.Throttling("4")
		}
		return e
	}
}

func TestThrottlingOfWrongCredentialsBecomesTheirRefusal(t *testing.T) {
	script(t, throttlesWrong(false), func(s scene) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Equal(t, 429, status(s.send(s.wrong())), "the valid credential is answered right behind it")
	})
}

func TestThrottlingOfAllRequestsIsNoRefusalOfACredential(t *testing.T) {
	script(t, throttlesWrong(true), func(s scene) {
		assert.Equal(t, 200, status(s.send(s.baseline())))
		assert.Nil(t, s.send(s.wrong()))
	})
}

func TestA429ThatDoesNotComeAgainIsNoRefusalOfACredential(t *testing.T) {
	wrong := 0
	once := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if status(e) == 401 {
			if wrong++; wrong <= 3 {
				return fake.Throttling("4")
			}
		}
		return e
	}
	script(t, once, func(s scene) {
		assert.Equal(t, 429, status(s.send(s.wrong())), "the run has waited long enough")
		assert.Equal(t, 3, wrong)
		wrong = 2
		assert.Equal(t, 401, status(s.send(s.wrong())), "another connection was still open")
	})
}

func TestThrottlingOfWrongCredentialsSlowsNothingElse(t *testing.T) {
	wrong := 0
	one := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if status(e) == 401 {
			if wrong++; wrong%2 == 1 {
				return fake.Throttling("")
			}
		}
		return e
	}
	script(t, one, func(s scene) {
		for range 4 {
			s.send(s.baseline())
			s.send(s.wrong())
		}
		assert.Equal(t, 4, s.Times(time.Time{}).Limits.Answers)
		began := time.Now()
		for range 50 {
			s.send(s.baseline())
		}
		assert.Less(t, time.Since(began), time.Second, "no rate is learned from the refusal of a credential")
		assert.Zero(t, s.Times(time.Time{}).Limits.Rate)
	})
}

func TestARateOfTheUserIsKept(t *testing.T) {
	script(t, conforming, func(s scene) {
		o := s.Over(s.Client)
		o.Rate = 10
		slow := explore.New(o)
		began := time.Now()
		session := slow.Client.Session()
		for range 21 {
			slow.Send(s.t.Context(), session, s.baseline(), "case", "case")
		}
		assert.GreaterOrEqual(t, time.Since(began), 2*time.Second)
	})
}

func TestNothingIsSentOnceTheRunHasEnded(t *testing.T) {
	script(t, conforming, func(s scene) {
		ctx, stop := context.WithCancel(s.t.Context())
		stop()
		assert.Nil(t, s.Target.Send(ctx, s.Session(), s.baseline(), "case", "case"))
		assert.Empty(t, s.Calls())
	})
}

func TestARequestThatTheEndOfTheRunCutShortHasNoExchange(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(5*time.Second, d.Conforming(c.Request))
	}
	script(t, slow, func(s scene) {
		ctx, stop := context.WithTimeout(s.t.Context(), time.Second)
		defer stop()
		assert.Nil(t, s.Target.Send(ctx, s.Session(), s.baseline(), "case", "case"), "it is no time-out of the target")
	})
}

func TestThePaceIsThatOfTheAnswers(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(time.Duration(c.Number)*time.Second, d.Conforming(c.Request))
	}
	script(t, slow, func(s scene) {
		for range 3 {
			s.send(s.baseline())
		}
		median, slowest := s.Pace()
		assert.Equal(t, 2*time.Second, median)
		assert.Equal(t, 3*time.Second, slowest)
		assert.Equal(t, 3, s.Exchanges())
	})
}

func TestAPauseOfOursIsNotThePaceOfTheTarget(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(time.Second, d.Conforming(c.Request))
	}
	script(t, slow, func(s scene) {
		m := s.baseline()
		m.Rest = message.RestInHeadEnd
		s.send(m)
		_, slowest := s.Pace()
		assert.Zero(t, slowest)
	})
}

func TestAControlTellsWhetherTheTargetAnswersAtAll(t *testing.T) {
	script(t, first(fake.Failing(exchange.Dropped), fake.Answer(500, "", "")), func(s scene) {
		_, ok := s.Control(s.t.Context(), s.Op())
		assert.False(t, ok, "dropped")
		_, ok = s.Control(s.t.Context(), s.Op())
		assert.True(t, ok, "an error is an answer")
		assert.True(t, s.Calls()[1].Fresh)
	})
}

func TestOnlyAHeadThatIsLargeMayBeClosedWithoutAnAnswer(t *testing.T) {
	of := func(head int, kind exchange.FailureKind) bool {
		return explore.ClosedOnHead(&exchange.Exchange{Request: &exchange.Request{Head: make([]byte, head)}, Failure: &exchange.Failure{Kind: kind}})
	}
	assert.False(t, of(exchange.LargeHead, exchange.Dropped))
	assert.True(t, of(exchange.LargeHead+1, exchange.Dropped))
	assert.True(t, of(exchange.LargeHead+1, exchange.DroppedWriting))
	assert.False(t, of(exchange.LargeHead+1, exchange.TimedOut))
	assert.False(t, of(exchange.LargeHead+1, exchange.Truncated))
}

func TestRetriesOfCasesNeverShareFreshValues(t *testing.T) {
	d := fake.Plants(t, plan.Mutator{Name: "many", Doc: "Many requests.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilySequence, Kind: "many", Phase: plan.Sequence, Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			var steps []plan.Step
			for range 40 {
				steps = append(steps, plan.Step{Message: g.Baseline()})
			}
			return steps
		}}}
	}})
	to := d.Target(d.Conforming)
	seen := map[string]bool{}
	for range 3 {
		for _, step := range d.Plan.Build(d.Plan.Cases[0], to.Identity(to.RetryOf(d.Plan.Cases[0]))) {
			id := step.Message.Tree.Get("id").Text
			assert.False(t, seen[id], id)
			seen[id] = true
		}
	}
}

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
