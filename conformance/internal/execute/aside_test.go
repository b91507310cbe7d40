package execute_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// waiting is n cases whose second request comes a second after the first.
func waiting(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Waits: time.Second, Build: func(g *generate.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}, {Message: g.Baseline(), Idle: time.Second}}
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
		serve answerer
		spare bool
		most  int
	}{{lasting, false, 8}, {ten, true, 8}, {lasting, true, 14}} {
		play(t, script{serve: x.serve, cases: cases, workers: 8, spare: x.spare}, func(t *testing.T, s scene) {
			s.passes(t)
			most := 0
			for _, c := range slices.Concat(s.sent("one"), s.sent("idle"), s.sent("together")) {
				most = max(most, c.Open)
			}
			assert.Equal(t, x.most, most)
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
