package execute_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/reference/services"
)

// waiting is n cases whose second request comes a second after the first.
func waiting(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Waits: time.Second, Build: func(g *plan.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}, {Message: g.Baseline(), Sending: plan.Sending{Idle: time.Second}}}
	}})
}

// last is the place of the last request of a mutator among all, first that of the first.
func (s scene) last(mutator string) (at int)  { return place(s, mutator, false) }
func (s scene) first(mutator string) (at int) { return place(s, mutator, true) }

func place(s scene, mutator string, first bool) (at int) {
	for i, c := range s.Calls() {
		if of(c, mutator) {
			if at = i; first {
				return at
			}
		}
	}
	return at
}

func TestCasesThatWaitDoSoBesideTheOthers(t *testing.T) {
	cases := []plan.Mutator{singles("one", 800), waiting("idle", 4), sequence("several", 100, 4, nil)}
	play(t, script{serve: lasting, cases: cases, workers: 8}, func(t *testing.T, s scene) {
		s.passes(t)
		require.Len(t, s.sent("idle"), 8)
		assert.Greater(t, s.last("idle"), s.first("several"), "later phases begin meanwhile")
		assert.Less(t, s.took, 1200*time.Millisecond, "all of them wait at the same time")
	})
}

func TestEveryWorkerTriesOtherCasesIfNoneWaits(t *testing.T) {
	play(t, script{serve: lasting, cases: []plan.Mutator{singles("one", 200)}, workers: 8}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Equal(t, 8, s.peak("one"))
	})
}

func TestWorkersTryOtherCasesAsSoonAsNoneWaits(t *testing.T) {
	cases := []plan.Mutator{singles("one", 6000), waiting("idle", 4)}
	play(t, script{serve: lasting, cases: cases, workers: 8}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Less(t, s.last("idle"), s.last("one"))
		assert.Equal(t, 8, s.peak("one"))
	})
}

func TestCasesThatWaitOpenNoMoreConnectionsThanTheTargetIsKnownToServe(t *testing.T) {
	together := making("together", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 2, Connections: 8, Build: parallel(8)})
	cases := []plan.Mutator{singles("one", 200), waiting("idle", 6), together}
	ten := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := lasting(d, c)
		if c.Place > 10 {
			e.Took = time.Second
		}
		return e
	}
	for _, x := range []struct {
		serve   answerer
		spare   bool
		maximum int
	}{{lasting, false, 8}, {ten, true, 8}, {lasting, true, 14}} {
		play(t, script{serve: x.serve, cases: cases, workers: 8, spare: x.spare}, func(t *testing.T, s scene) {
			s.passes(t)
			maximum := 0
			for _, c := range slices.Concat(s.sent("one"), s.sent("idle"), s.sent("together")) {
				maximum = max(maximum, c.Open)
			}
			assert.Equal(t, x.maximum, maximum)
			assert.Equal(t, 8, s.peak("together"))
		})
	}
}

func TestCasesThatWaitAreOverBeforeWrongCredentialsAreTried(t *testing.T) {
	cases := []plan.Mutator{waiting("idle", 6), wrongTokens("token", 5)}
	play(t, script{serve: conforming, cases: cases, workers: 8}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Less(t, s.last("idle"), s.first("token"))
	})
}

func TestCasesThatWaitTakeNoConnectionsThatTheUserDoesNotWant(t *testing.T) {
	cases := []plan.Mutator{singles("one", 20), waiting("idle", 6)}
	play(t, script{serve: lasting, cases: cases, workers: 2}, func(t *testing.T, s scene) {
		s.passes(t)
		for _, c := range append(s.sent("idle"), s.sent("one")...) {
			assert.LessOrEqual(t, c.Open, 2)
		}
	})
}

func TestACaseThatWaitsAndIsDroppedIsTriedAgainAlone(t *testing.T) {
	dropped := false
	once := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "idle") && !dropped {
			dropped = true
			return fake.Failing(exchange.Dropped)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: once, cases: []plan.Mutator{singles("one", 20), waiting("idle", 2)}, workers: 8}, func(t *testing.T, s scene) {
		assert.True(t, dropped)
		s.passes(t)
	})
}

// TestRequestsAreAnsweredBetweenTheHalvesOfAnother: what a server keeps of the half that
// is there must not depend on which connection it happens to serve first.
func TestRequestsAreAnsweredBetweenTheHalvesOfAnother(t *testing.T) {
	var order []bool // whether each answer is that to the half
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "half") {
			order = append(order, c.Request.Gate != nil)
		}
		return d.Conforming(c.Request)
	}
	half := sequence("half", 1, 3, func(steps []plan.Step) {
		for i := range steps {
			steps[i].Connection, steps[i].Parallel = i, true
		}
		steps[0].Message.Framing = message.Pieces
	})
	play(t, script{serve: serve, cases: []plan.Mutator{half}}, func(t *testing.T, s scene) {
		assert.Equal(t, []bool{false, false, true}, order)
		assert.Less(t, s.took, time.Second)
		r := s.Record(s.of("half")[0])
		assert.Empty(t, r.Failures)
	})
}

func TestARequestInPiecesThatNothingIsBesideIsNotHeld(t *testing.T) {
	held := false
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		held = held || c.Request.Gate != nil
		return d.Conforming(c.Request)
	}
	alone := sequence("alone", 1, 2, func(steps []plan.Step) { steps[0].Message.Framing = message.Pieces })
	play(t, script{serve: serve, cases: []plan.Mutator{alone}}, func(t *testing.T, s scene) {
		require.Len(t, s.sent("alone"), 2)
		assert.False(t, held)
	})
}

func TestACollectionIsDeletedAfterAllCasesBesideWhichItWouldHarm(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/notes.yaml")
	require.NoError(t, err)
	d := fake.Of(t, string(text), singles("some", 20))
	d.Endpoint.NameCases = true
	run, c := against(t, d, services.Notes(""), execute.Settings{Workers: 4}, func(*explore.Target) {})
	for _, one := range d.Plan.Cases {
		assert.Empty(t, run.Record(one).Failures, one.ID)
	}
	cleared := 0
	for _, call := range c.Calls() {
		switch slug, _, _ := strings.Cut(call.Case, "/valid/"); slug {
		case "delete-notes":
			cleared++
			assert.Equal(t, 1, call.Concurrent)
		case "get-notes-key", "put-notes-key", "delete-notes-key":
			assert.Zero(t, cleared, call.Case)
		}
	}
	assert.Equal(t, 20, cleared)
}

func TestACollectionIsDeletedAfterCasesThatWait(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/notes.yaml")
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		d := fake.Of(t, string(text), singles("some", 5), waiting("idle", 2))
		d.Endpoint.NameCases = true
		run, c := against(t, d, services.Notes(""), execute.Settings{Workers: 8}, func(*explore.Target) {})
		for _, one := range d.Plan.Cases {
			assert.Empty(t, run.Record(one).Failures, one.ID)
		}
		cleared := false
		for _, call := range c.Calls() {
			cleared = cleared || strings.HasPrefix(call.Case, "delete-notes/valid/")
			if cleared {
				assert.NotContains(t, call.Case, "-notes-key/valid/idle/", "what it is about would be gone")
			}
		}
		assert.True(t, cleared)
	})
}

// against runs the cases of a document against a server, after its pre-flight and what
// happens then.
func against(t *testing.T, d *fake.Document, server http.Handler, s execute.Settings, then func(to *explore.Target)) (*execute.Run, *fake.Client) {
	t.Helper()
	c := &fake.Client{Serve: fake.Handled(server)}
	j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
	to := explore.New(d.Over(c))
	j.Facts = to.Facts
	require.True(t, to.Learn(t.Context()), "%v", to.Reasons)
	then(to)
	run := execute.New(to, j, s, d.Plan.Cases, true)
	j.Cover(d.Plan.Cases)
	run.All(t.Context())
	return run, c
}
