package execute_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

func TestATimeOutFailsOnceItHappensAgainAloneInTheFullTime(t *testing.T) {
	play(t, script{serve: always("slow", hanging), cases: []plan.Mutator{singles("slow", 8), singles("quick", 4)}, timeout: 30 * time.Second}, func(t *testing.T, s scene) {
		ways := s.ways("slow")
		assert.Len(t, ways, 1, "one is confirmed, the others stay behind it")
		for id, way := range ways {
			assert.Equal(t, "post-plants-answered: timed out\n", way)
			whole := 0
			for _, c := range s.Calls() {
				if c.Case == id && c.Timeout == 30*time.Second {
					whole++
				}
			}
			assert.Equal(t, 1, whole)
		}
		assert.Empty(t, s.ways("quick"))
	})
}

func TestWhatGetsNoAnswerLikeAConfirmedTimeOutPassesNothing(t *testing.T) {
	play(t, script{serve: always("slow", hanging), cases: []plan.Mutator{singles("slow", 8)}}, func(t *testing.T, s scene) {
		behind := 0
		for _, c := range s.of("slow") {
			r := s.Record(c)
			assert.True(t, r.Passed.Empty(), c.ID)
			if len(r.Failures) == 0 {
				behind++
				assert.Equal(t, judge.Tried, r.State, r.Why)
				assert.False(t, r.Suppressed.Empty(), c.ID)
				assert.Equal(t, "post-plants-answered", r.SuppressedBy)
			}
		}
		assert.Equal(t, 7, behind)
	})
}

func TestATargetThatHangsOnAWholeClassCostsSecondsNotHours(t *testing.T) {
	play(t, script{serve: always("slow", hanging), cases: []plan.Mutator{singles("slow", 200)}, timeout: time.Minute}, func(t *testing.T, s scene) {
		assert.Less(t, s.took, 3*time.Minute)
	})
}

func TestAnAnswerThatStaysIncompleteUntilTheConnectionIsClosedIsATimeOutOfItsClass(t *testing.T) {
	cut := func() *exchange.Exchange { return fake.Lasting(6*time.Second, fake.Failing(exchange.Truncated)) }
	play(t, script{serve: always("slow", cut), cases: []plan.Mutator{singles("slow", 200)}, timeout: 10 * time.Second}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("slow"), 1, "one is confirmed, the others stay behind it")
		assert.Less(t, s.took, 30*time.Second)
	})
}

func TestTimeOutsOnABusyMachineAreNoFailure(t *testing.T) {
	var calm time.Time
	busy := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "one") && calm.IsZero() {
			calm = time.Now().Add(8 * time.Second)
		}
		if time.Now().Before(calm) {
			return fake.Lasting(time.Until(calm)+time.Second, d.Conforming(c.Request))
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: busy, cases: []plan.Mutator{singles("one", 40)}, workers: 4, timeout: 30 * time.Second}, func(t *testing.T, s scene) {
		s.passes(t)
	})
}

func TestASlowClassIsWaitedForAsLongAsItTakes(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "slow") {
			return fake.Lasting(4*time.Second, d.Conforming(c.Request)) // above FirstWait
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: slow, cases: []plan.Mutator{singles("slow", 20)}, timeout: 30 * time.Second}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.LessOrEqual(t, len(s.sent("slow")), 20+4, "nearly all are answered at the first try, once it is known")
	})
}

func TestASlowAnswerIsNeverTakenForNoneWithinTheTimeOfTheUser(t *testing.T) {
	all := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(9*time.Second, d.Conforming(c.Request))
	}
	play(t, script{serve: all, cases: []plan.Mutator{singles("slow", 12)}, timeout: 10 * time.Second}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Len(t, s.sent("slow"), 12, "the pace of the target justifies the wait at the first try")
	})
}

func TestAClassThatIsAnsweredAtTheSecondTryIsJudgedThoughAnotherGetsNoAnswer(t *testing.T) {
	tried := false
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "hangs") || of(c, "once") && !tried {
			tried = tried || of(c, "once")
			return hanging()
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: serve, cases: []plan.Mutator{singles("hangs", 1), sequence("once", 1, 1, nil)}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("hangs"), 1)
		r := s.Record(s.of("once")[0])
		assert.Empty(t, r.Failures)
		assert.False(t, r.Passed.Empty())
	})
}

func TestAClassThatIsAnsweredIsJudgedThoughOthersOfItsOperationAreNot(t *testing.T) {
	var list []plan.Mutator
	for _, name := range strings.Fields("a b c d e f g h") {
		list = append(list, singles(name, 3))
	}
	half := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		for _, name := range strings.Fields("a b c d") {
			if of(c, name) {
				return hanging()
			}
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: half, cases: list, workers: 2, timeout: 20 * time.Second}, func(t *testing.T, s scene) {
		for _, c := range s.Plan.Cases[1:] {
			answers := c.Class.Mutator > "d"
			assert.Equal(t, answers, !s.Record(c).Passed.Empty(), "%s: what is answered is judged, what is not passes nothing", c.ID)
		}
		assert.Less(t, s.took, time.Duration(2+limits.AdditionalTimeouts)*20*time.Second)
	})
}

// refusals is n classes of a case each that a target has to refuse.
func refusals(n int) []plan.Mutator {
	var list []plan.Mutator
	for i := range n {
		list = append(list, making(fmt.Sprintf("refused-%d", i), plan.Class{Family: plan.FamilyInvalid, Cases: 1, Expected: plan.ExpectInvalid, Build: func(g *plan.Gen, _ int) []plan.Step {
			m := g.Baseline()
			m.Raw = []byte(`{}`)
			return []plan.Step{{Message: m}}
		}}))
	}
	return list
}

func TestATargetThatAnswersNoRefusalCostsSeconds(t *testing.T) {
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if string(c.Request.Body) == `{}` {
			return hanging()
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: serve, cases: append(refusals(400), singles("taken", 10)), timeout: 10 * time.Second}, func(t *testing.T, s scene) {
		sent := 0
		for _, c := range s.Calls() {
			if string(c.Request.Body) == `{}` {
				sent++
			}
		}
		assert.Less(t, sent, 100, "some dozens of them show that none is answered")
		assert.Less(t, s.took, 30*time.Second)
		assert.Empty(t, s.ways("taken"))
		for _, c := range s.Cases {
			if c.Class.Expected == plan.ExpectInvalid {
				assert.True(t, s.Record(c).Passed.Empty(), c.ID)
			}
		}
	})
}
