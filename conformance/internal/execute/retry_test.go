package execute_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// once is a conforming server but for the first request of a mutator.
func once(mutator string, e *exchange.Exchange) answerer {
	done := false
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, mutator) && !done {
			done = true
			return e
		}
		return d.Conforming(c.Request)
	}
}

// always is a conforming server but for the requests of a mutator.
func always(mutator string, e func() *exchange.Exchange) answerer {
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, mutator) {
			return e()
		}
		return d.Conforming(c.Request)
	}
}

func failing(kind exchange.FailureKind) func() *exchange.Exchange {
	return func() *exchange.Exchange { return fake.Failing(kind) }
}

func TestADropOrTimeOutThatDoesNotHappenAgainAloneIsNoFailure(t *testing.T) {
	for name, e := range map[string]*exchange.Exchange{
		"dropped": fake.Failing(exchange.Dropped), "dropped while writing": fake.Failing(exchange.DroppedWriting),
		"truncated": fake.Failing(exchange.Truncated), "timed out": hanging(), "unreachable": fake.Failing(exchange.Unreachable),
	} {
		t.Run(name, func(t *testing.T) {
			play(t, script{serve: once("one", e), cases: []plan.Mutator{singles("one", 3)}}, func(t *testing.T, s scene) { s.passes(t) })
		})
	}
}

func TestTheRetryIsAloneOnAFreshConnectionBetweenTwoControls(t *testing.T) {
	play(t, script{serve: once("one", fake.Failing(exchange.Dropped)), cases: []plan.Mutator{singles("one", 1)}}, func(t *testing.T, s scene) {
		calls := s.Calls()
		last := calls[len(calls)-3:]
		assert.Equal(t, []string{"control", s.of("one")[0].ID, "control"}, []string{last[0].Case, last[1].Case, last[2].Case})
		for _, c := range last {
			assert.True(t, c.Fresh)
		}
	})
}

func TestARetrySendsFreshValues(t *testing.T) {
	seen := map[string]bool{}
	dropped := 0
	unique := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		body := d.Endpoint.ClassifyBytes(d.Op(), c.Request, c.Body).Body.Root()
		id := body.Get("id").Text
		if seen[id] {
			return fake.Answer(409, "application/json", `{"error":409,"message":"exists"}`)
		}
		seen[id] = true
		if of(c, "one") && dropped == 0 {
			dropped++
			return fake.Failing(exchange.Dropped) // stored, and the answer was lost
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: unique, cases: []plan.Mutator{singles("one", 3)}}, func(t *testing.T, s scene) {
		assert.Equal(t, 1, dropped)
		s.passes(t)
	})
}

func TestADropThatComesAgainAloneIsTheTargetsFault(t *testing.T) {
	for _, kind := range []exchange.FailureKind{exchange.Dropped, exchange.DroppedWriting} {
		play(t, script{serve: always("one", failing(kind)), cases: []plan.Mutator{singles("one", 1)}}, func(t *testing.T, s scene) {
			assert.Equal(t, map[string]string{s.of("one")[0].ID: "post-plants-answered: " + kind.String() + "\n"}, s.ways("one"))
			assert.False(t, s.Lost())
		})
	}
}

func TestOfManyDroppedCasesOfAClassAFewAreTriedAgain(t *testing.T) {
	play(t, script{serve: always("one", failing(exchange.Dropped)), cases: []plan.Mutator{singles("one", 10)}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("one"), limits.RetriesJudged)
		assert.Len(t, s.why("one"), 10-limits.RetriesJudged, "the others are not tried, and pass nothing")
	})
}

func TestTheResetOfALargeRequestIsNotJudged(t *testing.T) {
	reset := func() *exchange.Exchange { return fake.Failing(exchange.DroppedWriting) }
	play(t, script{serve: always("large", reset), cases: []plan.Mutator{heavy("large", 1, limits.LostAnswer)}}, func(t *testing.T, s scene) {
		assert.Empty(t, s.ways("large"), "a refusal may have been lost on the way (RFC 9112, 9.6)")
		r := s.Record(s.of("large")[0])
		assert.Equal(t, judge.Tried, r.State)
		assert.True(t, r.Passed.Empty(), "it passes nothing either")
	})
	play(t, script{serve: always("small", reset), cases: []plan.Mutator{heavy("small", 1, limits.LostAnswer-2000)}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("small"), 1)
	})
}

func TestALargeRequestThatIsReadWholeMustBeAnswered(t *testing.T) {
	closed := func() *exchange.Exchange {
		return &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Dropped, Err: io.EOF}}
	}
	play(t, script{serve: always("large", closed), cases: []plan.Mutator{heavy("large", 1, limits.LostAnswer)}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("large"), 1, "an orderly end comes after the request was read")
	})
	reset := func() *exchange.Exchange {
		return &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Dropped, Err: errors.New("reset")}}
	}
	play(t, script{serve: always("large", reset), cases: []plan.Mutator{heavy("large", 1, limits.LostAnswer)}}, func(t *testing.T, s scene) {
		assert.Empty(t, s.ways("large"))
	})
}

func TestATargetThatDiesIsLostAndTheCaseFails(t *testing.T) {
	dead := false
	dies := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if dead = dead || of(c, "killer"); dead {
			return fake.Failing(exchange.Unreachable)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: dies, cases: []plan.Mutator{singles("killer", 1), sequence("later", 2, 2, nil)}}, func(t *testing.T, s scene) {
		assert.True(t, s.Lost())
		assert.Equal(t, map[string]string{s.of("killer")[0].ID: "post-plants-answered: died\n"}, s.ways("killer"))
		require.Len(t, s.to.Reasons, 1)
		assert.Contains(t, s.to.Reasons[0], "the target stopped answering near "+s.of("killer")[0].ID)
		assert.Empty(t, s.ways("later"))
		assert.Empty(t, s.sent("later"))
		assert.Equal(t, execute.LostReason, s.Ended())
	})
}

func TestATargetThatDiesOfTheRetryIsLostToo(t *testing.T) {
	tries := 0
	dies := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "killer") {
			tries++
			return fake.Failing(exchange.Dropped)
		}
		if tries > 1 {
			return fake.Failing(exchange.Unreachable)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: dies, cases: []plan.Mutator{singles("killer", 1), sequence("later", 2, 2, nil)}}, func(t *testing.T, s scene) {
		assert.True(t, s.Lost())
		assert.Len(t, s.ways("killer"), 1)
		assert.Contains(t, strings.Join(s.to.Reasons, "\n"), "the target stopped answering after "+s.of("killer")[0].ID)
		assert.Empty(t, s.sent("later"))
	})
}

func TestATargetThatComesBackWithinItsTimeIsNotLost(t *testing.T) {
	var back time.Time
	restarts := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "one") && back.IsZero() {
			back = time.Now().Add(limits.Revival * 4 / 5)
		}
		if time.Now().Before(back) {
			return fake.Failing(exchange.Unreachable)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: restarts, cases: []plan.Mutator{singles("one", 1), sequence("later", 2, 2, nil)}}, func(t *testing.T, s scene) {
		assert.False(t, s.Lost())
		s.passes(t)
	})
}

// TestATargetThatMakesNothingAnyMoreIsNotLost: the control of a dropped request needs a thing that cannot be
// made any more, but the target answers.
func TestATargetThatMakesNothingAnyMoreIsNotLost(t *testing.T) {
	d := fake.Of(t, `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /boxes:
    get:
      operationId: boxes
      responses: {'200': {description: d}}
    post:
      operationId: addBox
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /boxes/{boxId}:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}}]
    delete:
      operationId: deleteBox
      responses: {'204': {description: d}}
`, singles("one", 1))
	n, ready, broken := 0, false, false
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case ready && r.Method == "DELETE":
			broken = true
			panic(http.ErrAbortHandler)
		case broken && r.Method == "POST":
			w.WriteHeader(500)
		case r.Method == "POST":
			n++
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(201)
			fmt.Fprintf(w, `{"id":%d}`, n)
		case r.Method == "DELETE":
			w.WriteHeader(204)
		}
	})
	run, _ := against(t, d, server, execute.Settings{Workers: 1}, func(*explore.Target) { ready = true })
	assert.True(t, broken)
	assert.False(t, run.Lost())
}

func TestATargetThatDropsAnyRequestNowAndThenIsFound(t *testing.T) {
	seen := map[string]int{}
	every := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		seen[c.Case]++
		// The retries, the second of their case, happen to be answered.
		if of(c, "one") && c.Number%17 == 0 && seen[c.Case] != 2 {
			return fake.Failing(exchange.Dropped)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: every, cases: []plan.Mutator{singles("one", 60)}}, func(t *testing.T, s scene) {
		require.Len(t, s.ways("one"), 1, "no case of its own shows it")
		for _, way := range s.ways("one") {
			assert.Equal(t, "post-plants-answered: flaky\n", way)
		}
	})
}

// TestRequestsThatWereSentAgainStartAProbeOfTheTarget: a connection that was kept may have
// been closed because it was idle.
func TestRequestsThatWereSentAgainStartAProbeOfTheTarget(t *testing.T) {
	for dropping, want := range map[bool]string{true: "post-plants-answered: flaky\n", false: ""} {
		again := func(d *fake.Document, c fake.Call) *exchange.Exchange {
			e := d.Conforming(c.Request)
			switch {
			case dropping && c.Fresh && c.Number%100 == 0:
				return fake.Failing(exchange.Dropped)
			case of(c, "one") && c.Number%10 == 0:
				e.Retried = true
			}
			return e
		}
		play(t, script{serve: again, cases: []plan.Mutator{singles("one", 60)}}, func(t *testing.T, s scene) {
			got := ""
			for _, way := range s.ways("one") {
				got += way
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestOneDropWithoutAReasonStartsNoProbe(t *testing.T) {
	play(t, script{serve: once("one", fake.Failing(exchange.Dropped)), cases: []plan.Mutator{singles("one", 5)}}, func(t *testing.T, s scene) {
		assert.Len(t, s.sent("one"), 6)
	})
}

func TestARequestOfASequenceThatRepeatsAValueMayBeRefused(t *testing.T) {
	seen := map[string]bool{}
	unique := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		for _, m := range message.Values(d.Op(), d.Endpoint.ClassifyBytes(d.Op(), c.Request, c.Body).Body.Root()) {
			if m.Name == "id" && seen[m.Value.Text] {
				return fake.Answer(400, "application/json", `{"error":400,"message":"exists"}`)
			}
			seen[m.Value.Text] = true
		}
		return e
	}
	twice := sequence("twice", 2, 2, func(steps []plan.Step) { steps[1].Message = steps[0].Message.Clone() })
	play(t, script{serve: unique, cases: []plan.Mutator{twice}}, func(t *testing.T, s scene) { s.passes(t) })
	never := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "twice") {
			return fake.Answer(400, "application/json", `{"error":400,"message":"exists"}`)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: never, cases: []plan.Mutator{twice}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("twice"), 2, "the first request of each repeats nothing")
	})
}

func TestAnAnswerThatIsStillComingIsNoFailure(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "one") {
			e := failing(exchange.TimedOut)()
			e.Coming = true
			return e
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: slow, cases: []plan.Mutator{singles("one", 1)}}, func(t *testing.T, s scene) {
		r := s.Record(s.of("one")[0])
		assert.NotEqual(t, judge.Tried, r.State)
		assert.True(t, r.Passed.Empty(), "nor does it pass")
		assert.Contains(t, r.Why, "--timeout")
	})
}

func TestOneOfThePreFlightThatIsStillComingIsNoFailureEither(t *testing.T) {
	for _, always := range []bool{false, true} {
		for coming, want := range map[bool]int{false: 1, true: 0} {
			var first []byte
			slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
				if c.Number == 1 {
					first = c.Body
				}
				if !always && !bytes.Equal(c.Body, first) {
					return d.Conforming(c.Request)
				}
				e := failing(exchange.TimedOut)()
				e.Coming = coming
				return e
			}
			play(t, script{serve: slow, cases: []plan.Mutator{singles("one", 1)}}, func(t *testing.T, s scene) {
				assert.Len(t, s.ways(opening), want)
				if always && coming {
					assert.Equal(t, explore.StillComing, s.to.Facts.Of(s.Op()).Refused)
				}
			})
		}
	}
}
