package execute_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// dying answers after some time. From the first request on that is due, all fail.
func dying(how exchange.FailureKind, due func(c fake.Call) bool) answerer {
	dead := false
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		dead = dead || due(c)
		e := d.Conforming(c.Request)
		if dead && !of(c, opening) {
			e = fake.Failing(how)
		}
		e.Took = 20 * time.Millisecond
		return e
	}
}

// early is n cases that come before those of other classes.
func early(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Waits: time.Second, Expected: plan.ExpectMustAccept, Build: func(g *generate.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}}
	}})
}

func TestOfTheRequestsUnderWayAtTheEndThatOfANewKindIsReported(t *testing.T) {
	cases := []plan.Mutator{early("before", 14), singles("killer", 1)}
	at := 0
	play(t, script{serve: dying(exchange.Dropped, func(c fake.Call) bool {
		if of(c, "killer") {
			at = c.Number
		}
		return false
	}), workers: 4, cases: cases}, func(*testing.T, scene) {})
	require.Positive(t, at)
	for _, how := range []exchange.FailureKind{exchange.Unreachable, exchange.Dropped} {
		// Those that were sent just before it are not answered either.
		serve := dying(how, func(c fake.Call) bool { return c.Number >= at-2 })
		play(t, script{serve: serve, workers: 4, cases: cases}, func(t *testing.T, s scene) {
			assert.True(t, s.Lost())
			killer := s.of("killer")[0]
			assert.Equal(t, map[string]string{killer.ID: "post-plants-answered: died\n"}, s.ways("killer"))
			assert.Empty(t, s.ways("before"), "others of its kind were answered")
			assert.Regexp(t, `^the target stopped answering with [234] requests under way, of which one is the likely cause unless an earlier one is$`, s.End(killer))
			assert.Equal(t, killer, s.Suspects(killer)[0])
			assert.Greater(t, len(s.Suspects(killer)), 1)
			assert.Empty(t, s.End(s.of("before")[0]))
		})
	}
}

func TestARequestThatWasUnderWayAloneAtTheEndIsNamedForSure(t *testing.T) {
	serve := dying(exchange.Dropped, func(c fake.Call) bool { return of(c, "killer") })
	play(t, script{serve: serve, cases: []plan.Mutator{early("before", 6), singles("killer", 1), singles("behind", 6)}}, func(t *testing.T, s scene) {
		assert.Equal(t, "the target stopped answering while this request alone was under way", s.End(s.of("killer")[0]))
	})
}

func TestADropLongBeforeTheEndIsNotBlamedForIt(t *testing.T) {
	dropped := false
	die := dying(exchange.Unreachable, func(c fake.Call) bool { return of(c, "killer") })
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "early") && !dropped {
			dropped = true
			return fake.Failing(exchange.Dropped)
		}
		return die(d, c)
	}
	play(t, script{serve: serve, cases: []plan.Mutator{early("early", 6), singles("killer", 1)}}, func(t *testing.T, s scene) {
		assert.Empty(t, s.ways("early"))
		assert.Len(t, s.ways("killer"), 1)
	})
}
