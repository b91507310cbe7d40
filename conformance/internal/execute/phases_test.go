package execute_test

import (
	"slices"
	"strings"
	"testing"
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
	"plantstore/internal/limits"
)

// lasting is a conforming server that takes a while.
func lasting(d *fake.Document, c fake.Call) *exchange.Exchange {
	return fake.Lasting(time.Millisecond, d.Conforming(c.Request))
}

// peak is how many requests of a mutator were under way at once.
func (s scene) peak(mutator string) (n int) {
	for _, c := range s.sent(mutator) {
		n = max(n, c.Concurrent)
	}
	return n
}

// order is the mutators whose requests were sent, one after the other.
func (s scene) order() (mutators []string) {
	for _, c := range s.Calls() {
		if parts := strings.Split(c.Case, "/"); len(parts) > 2 && parts[2] != opening {
			mutators = append(mutators, parts[2])
		}
	}
	return slices.Compact(mutators)
}

func TestSinglesRunBesideEachOtherSequencesAndHeavyOnesAlone(t *testing.T) {
	cases := []plan.Mutator{singles("one", 30), sequence("several", 12, 3, nil), heavy("large", 12, 100)}
	play(t, script{serve: lasting, cases: cases, workers: 4}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Equal(t, 4, s.peak("one"))
		assert.Equal(t, 1, s.peak("several"))
		assert.Equal(t, 1, s.peak("large"))
	})
}

func TestPhasesComeInOrderAndRefusedCredentialsLast(t *testing.T) {
	cases := []plan.Mutator{wrongTokens("token", 5), heavy("large", 5, 100), sequence("several", 5, 2, nil), singles("one", 5)}
	play(t, script{serve: conforming, cases: cases, workers: 3}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Equal(t, []string{"one", "several", "large", "token"}, s.order())
	})
}

// TestSequencesThatNeedManyConnectionsComeBehindTheHeavyCases: they cannot begin while
// other cases wait on most connections.
func TestSequencesThatNeedManyConnectionsComeBehindTheHeavyCases(t *testing.T) {
	over := func(name string, connections int) plan.Mutator {
		return making(name, plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 3, Connections: connections, Build: parallel(connections)})
	}
	cases := []plan.Mutator{over("all", limits.Probed), over("two", 2), heavy("large", 5, 100), wrongTokens("token", 5), singles("one", 5)}
	play(t, script{serve: conforming, cases: cases, workers: limits.Probed}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Equal(t, []string{"one", "two", "large", "all", "token"}, s.order())
	})
}

func TestNoMoreConnectionsAreOpenThanTheTargetServes(t *testing.T) {
	two := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Place > 2 {
			return fake.Throttling("1")
		}
		return fake.Lasting(time.Millisecond, d.Conforming(c.Request))
	}
	together := making("together", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 2, Connections: 4, Build: parallel(4)})
	play(t, script{serve: two, cases: []plan.Mutator{singles("one", 40), together}, workers: 6}, func(t *testing.T, s scene) {
		require.Equal(t, 2, s.to.Facts.Connections)
		for _, c := range s.sent("one") {
			assert.LessOrEqual(t, c.Open, 2)
		}
		assert.Empty(t, s.sent("together"), "a case of four connections cannot be tried")
		for _, c := range s.of("together") {
			assert.Equal(t, judge.Inapplicable, s.Record(c).State)
		}
	})
}

func TestStepsThatBelongTogetherAreSentTogether(t *testing.T) {
	together := making("together", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 1, Connections: 4, Build: parallel(4)})
	play(t, script{serve: lasting, cases: []plan.Mutator{together}}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Equal(t, 4, s.peak("together"))
	})
}

func TestAStepThatAsksForAFreshConnectionGetsOne(t *testing.T) {
	fresh := sequence("fresh", 1, 3, func(steps []plan.Step) { steps[2].Fresh = true })
	play(t, script{serve: conforming, cases: []plan.Mutator{fresh}}, func(t *testing.T, s scene) {
		calls := s.sent("fresh")
		require.Len(t, calls, 3)
		assert.Equal(t, calls[0].Connection, calls[1].Connection)
		assert.NotEqual(t, calls[1].Connection, calls[2].Connection)
	})
}

func TestTheFirstCaseOfEachClassComesBeforeTheOthers(t *testing.T) {
	cases := []plan.Mutator{singles("a", 9), singles("b", 9), singles("c", 9)}
	play(t, script{serve: conforming, cases: cases}, func(t *testing.T, s scene) {
		var first []string
		for _, c := range s.Calls() {
			if strings.HasPrefix(c.Case, "post-plants/") && !of(c, opening) && len(first) < 3 {
				first = append(first, c.Case)
			}
		}
		slices.Sort(first)
		assert.Equal(t, []string{"post-plants/valid/a/kind/0", "post-plants/valid/b/kind/0", "post-plants/valid/c/kind/0"}, first)
	})
}

func TestTheOrderTellsNothingOfThePlan(t *testing.T) {
	play(t, script{serve: conforming, cases: []plan.Mutator{singles("a", 12), singles("b", 12)}}, func(t *testing.T, s scene) {
		var sent, planned []string
		for _, c := range s.Calls() {
			if strings.HasPrefix(c.Case, "post-plants/") {
				sent = append(sent, c.Case)
			}
		}
		for _, c := range s.Plan.Cases {
			planned = append(planned, c.ID)
		}
		assert.ElementsMatch(t, planned, sent)
		assert.NotEqual(t, planned, sent)
	})
}

func TestTheSameRequestsAreSentWhateverTheNumberOfWorkers(t *testing.T) {
	bodies := func(workers int) (out []string) {
		cases := []plan.Mutator{singles("one", 20), sequence("several", 4, 3, nil), wrongTokens("token", 3)}
		play(t, script{serve: conforming, cases: cases, workers: workers}, func(_ *testing.T, s scene) {
			for _, c := range s.Calls() {
				if strings.HasPrefix(c.Case, "post-plants/") {
					out = append(out, c.Case+" "+string(c.Body))
				}
			}
		})
		slices.Sort(out)
		return out
	}
	one := bodies(1)
	assert.Len(t, one, 1+20+12+3)
	assert.Equal(t, one, bodies(7))
}

func TestNothingRunsWhereNoRequestIsAccepted(t *testing.T) {
	refuses := func(*fake.Document, fake.Call) *exchange.Exchange {
		return fake.Answer(500, "", "")
	}
	play(t, script{serve: refuses, cases: []plan.Mutator{singles("one", 5)}}, func(t *testing.T, s scene) {
		assert.Empty(t, s.sent("one"))
		assert.Len(t, s.ways(opening), 1, "the request that showed it is judged")
		assert.Contains(t, s.Ended(), "no baseline request was accepted")
	})
}

func TestTheRefusalOfTheFirstValidRequestIsJudgedThoughLaterOnesAreAccepted(t *testing.T) {
	first := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Number == 1 {
			return fake.Answer(400, "application/json", `{"error":400,"message":"no"}`)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: first, cases: []plan.Mutator{singles("one", 3)}}, func(t *testing.T, s scene) {
		ways := s.ways(opening)
		require.Len(t, ways, 1)
		for _, way := range ways {
			assert.Contains(t, way, "post-plants-valid-accepted")
		}
	})
}

func TestAnAnswerThatTheClientWaitsOutIsJudgedByItsFields(t *testing.T) {
	for value, fails := range map[string]bool{"1": false, "0.5": true} {
		asked := false
		limited := func(d *fake.Document, c fake.Call) *exchange.Exchange {
			if of(c, "one") && !asked {
				asked = true
				return fake.Throttling(value)
			}
			return d.Conforming(c.Request)
		}
		play(t, script{serve: limited, cases: []plan.Mutator{singles("one", 2)}}, func(t *testing.T, s scene) {
			failed, passed := 0, 0
			for _, c := range s.Cases {
				r := s.Record(c)
				for i := range r.Failures {
					f := &r.Failures[i]
					assert.Equal(t, "post-plants-retry-after", s.Judge.Bound[f.At].ID)
					assert.True(t, f.Beside)
					_, untried := s.SendAgain(t.Context(), c, f)
					assert.Equal(t, execute.AtItsTime, untried)
					failed++
				}
				r.Passed.Each(func(at int) {
					if s.Judge.Bound[at].ID == "post-plants-retry-after" {
						passed++
					}
				})
			}
			assert.Equal(t, []int{map[bool]int{true: 1}[fails], map[bool]int{false: 1}[fails]}, []int{failed, passed}, value)
		})
	}
}

func TestATargetThatNeverStopsAskingToWaitIsNotJudged(t *testing.T) {
	limited := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "one") {
			return fake.Throttling("20")
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: limited, cases: []plan.Mutator{singles("one", 2)}}, func(t *testing.T, s scene) {
		assert.Equal(t, []string{execute.ImpatientReason, execute.ImpatientReason}, s.why("one"))
		assert.Empty(t, s.ways("one"))
	})
}

func TestCasesBehindTheEndOfTheRunAreNotTried(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Case == "preflight" {
			return d.Conforming(c.Request)
		}
		return fake.Lasting(time.Second, d.Conforming(c.Request))
	}
	play(t, script{serve: slow, cases: []plan.Mutator{singles("a", 50), singles("b", 50), wrongTokens("token", 2)}, ends: 30 * time.Second}, func(t *testing.T, s scene) {
		assert.Less(t, s.took, 31*time.Second)
		for _, c := range s.Plan.Cases {
			if r := s.Record(c); c.Draw == 0 && assert.NotNil(t, r, c.ID) {
				assert.Equal(t, judge.Tried, r.State, "%s: a slow target is tried in every class", c.ID)
			} else if r != nil && r.State != judge.Tried {
				assert.NotEmpty(t, r.Why)
				assert.True(t, r.Passed.Empty())
			}
		}
		assert.NotEmpty(t, s.why("a"))
		assert.Equal(t, execute.EndedReason, s.Ended())
	})
}

func TestTheFirstCaseOfEachClassIsTriedHoweverLate(t *testing.T) {
	var list []plan.Mutator
	for name := range 20 {
		list = append(list, singles("c"+string(rune('a'+name)), 2))
	}
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Case == "preflight" {
			return d.Conforming(c.Request)
		}
		return fake.Lasting(time.Second, d.Conforming(c.Request))
	}
	play(t, script{serve: slow, cases: list, ends: 30 * time.Second}, func(t *testing.T, s scene) {
		for _, c := range s.Plan.Cases {
			r := s.Record(c)
			require.NotNil(t, r, c.ID)
			assert.Equal(t, c.Draw == 0, r.State == judge.Tried, c.ID)
		}
	})
}

func TestNoCaseOfAnOperationRunsBeforeAValidRequestWasAccepted(t *testing.T) {
	d := fake.Plants(t, singles("one", 3))
	c := &fake.Client{Serve: d.Conforming}
	run := execute.New(explore.New(d.Over(c)), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint), execute.Settings{Workers: 1}, d.Plan.Cases, true)
	run.All(t.Context()) // nothing was learned
	assert.Empty(t, c.Sent())
	for _, c := range d.Plan.Cases {
		assert.NotEqual(t, judge.Tried, run.Record(c).State)
		assert.NotEmpty(t, run.Record(c).Why)
	}
}

func TestWhatThePreflightSentHidesNoFailureOfTheCase(t *testing.T) {
	wrong := func() *exchange.Exchange { return fake.Answer(500, "text/html", "<p>") }
	play(t, script{serve: always(opening, wrong)}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways(opening), 1)
	})
}

func TestACaseWhoseBytesAreNotWhatItsClassSaysIsAFaultOfTheSuite(t *testing.T) {
	mistaken := making("mistaken", plan.Class{Family: plan.FamilyInvalid, Cases: 1, Expected: message.Refuse, Build: func(g *plan.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}}
	}})
	play(t, script{serve: conforming, cases: []plan.Mutator{mistaken}}, func(t *testing.T, s scene) {
		assert.NotEmpty(t, s.Record(s.of("mistaken")[0]).OwnFault)
	})
}

// TestTheFirstLongSequenceOfAClassEndsWithTheNextPhase: it begins late where the phase
// before it took its time.
func TestTheFirstLongSequenceOfAClassEndsWithTheNextPhase(t *testing.T) {
	for each, want := range map[time.Duration]judge.State{550 * time.Millisecond: judge.Tried, 800 * time.Millisecond: judge.Record{}.State} {
		slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
			switch {
			case c.Case == "preflight":
				return d.Conforming(c.Request)
			case of(c, "long"):
				return fake.Lasting(each, d.Conforming(c.Request))
			}
			return fake.Lasting(time.Second, d.Conforming(c.Request))
		}
		long := sequence("long", 1, 3*limits.SequenceMin, nil)
		play(t, script{serve: slow, cases: []plan.Mutator{singles("one", 100), long}, ends: 100 * time.Second}, func(t *testing.T, s scene) {
			assert.Equal(t, want, s.Record(s.of("long")[0]).State, each)
		})
	}
}
