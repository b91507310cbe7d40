package explore_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

const errorBody = `{"error":400,"message":"no"}`

func refusal() *exchange.Exchange { return fake.Answer(400, "application/json", errorBody) }

func TestAConformingTargetNeedsNothingAndRefusesNoRepeat(t *testing.T) {
	script(t, conforming, func(s scene) {
		f := s.learn()
		assert.True(t, f.Of(s.Op()).Accepted)
		assert.Empty(t, f.Of(s.Op()).Needs)
		assert.False(t, f.Of(s.Op()).Unique())
		assert.Equal(t, []int{0, 0}, []int{f.Generation, f.EarlierRuns})
		assert.Equal(t, limits.Probed, f.Connections)
		assert.False(t, f.Few)
		assert.Empty(t, s.Reasons)
		assert.Len(t, s.Openings, 1)
	})
}

func TestRefusedRepeatsAreLearnedMemberByMember(t *testing.T) {
	script(t, (&store{unique: []string{"id"}, status: 409}).serve, func(s scene) {
		f := s.learn()
		require.Len(t, f.Of(s.Op()).Repeats, 2)
		by := map[string]int{}
		for _, r := range f.Of(s.Op()).Repeats {
			by[r.Path] = r.Status
		}
		assert.Equal(t, map[string]int{"/id": 409, "/name": 0}, by)
		assert.True(t, f.Of(s.Op()).Unique())
	})
}

func TestARunThatMeetsTheDataOfAnEarlierOneTakesOtherValues(t *testing.T) {
	kept := &store{unique: []string{"id"}, status: 409}
	script(t, kept.serve, func(s scene) {
		assert.Equal(t, 0, s.learn().Generation)
		for run := range 3 {
			again := explore.New(s.Over(s.Client))
			require.True(t, again.Learn(s.t.Context()), "run %d: %v", run, again.Reasons)
			assert.Positive(t, again.Facts.Generation, "run %d", run)
		}
	})
}

func TestARunWithAnotherSeedKnowsThatValuesOfAllSeedsAreTaken(t *testing.T) {
	kept := &store{unique: []string{"id", "name"}, status: 409}
	script(t, kept.serve, func(s scene) {
		assert.Equal(t, 0, s.learn().EarlierRuns)
		o := s.Over(s.Client)
		o.Seed = 2
		again := explore.New(o)
		require.True(t, again.Learn(s.t.Context()))
		assert.Positive(t, again.Facts.EarlierRuns)
	})
}

func TestAnOptionalMemberThatTheTargetNeedsIsGivenToEveryBaselineRequest(t *testing.T) {
	needsTag := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if !fake.Holds(c.Request, `"tag"`) {
			return refusal()
		}
		return d.Conforming(c.Request)
	}
	script(t, needsTag, func(s scene) {
		f := s.learn()
		assert.Equal(t, map[string]bool{"/tag": true}, f.Of(s.Op()).Needs)
		assert.Contains(t, f.List([]*openapi.Operation{s.Op()}), report.Fact{Name: "post-plants: refused without optional members", Value: "accepted with /tag"},
			"another one might do as well")
		assert.NotNil(t, s.baseline().Tree.Get("tag"))
		_, ok := s.Control(s.t.Context(), s.Op())
		assert.True(t, ok)
	})
}

func TestAFirstRefusalThatDoesNotComeAgainIsJudgedAndTeachesNothing(t *testing.T) {
	for _, code := range []int{400, 403} {
		script(t, first(fake.Answer(code, "application/json", errorBody)), func(s scene) {
			f := s.learn()
			assert.Empty(t, f.Of(s.Op()).Needs, "no member was needed: the next request without it is taken")
			if assert.Len(t, s.Openings, 2, "nothing else explains the refusal of a valid request") {
				assert.Equal(t, code, status(s.Openings[1].Exchange))
			}
		})
	}
}

func TestATargetThatIsStillStartingDoesNotFail(t *testing.T) {
	for _, e := range []*exchange.Exchange{fake.Answer(503, "", ""), fake.Answer(502, "", ""), fake.Answer(504, "", ""), fake.Failing(exchange.Dropped)} {
		script(t, first(e), func(s scene) {
			s.learn()
			assert.Len(t, s.Openings, 1, "%d", status(e))
		})
	}
}

func TestATokenThatTheTargetDoesNotKnowIsSaidToBeTheReason(t *testing.T) {
	never := func(*fake.Document, fake.Call) *exchange.Exchange { return fake.Answer(401, "", "") }
	script(t, never, func(s scene) {
		assert.False(t, s.Learn(s.t.Context()))
		require.Len(t, s.Reasons, 1)
		assert.Contains(t, s.Reasons[0], "credential not accepted")
		assert.NotContains(t, s.Reasons[0], fake.Token)
		assert.Empty(t, s.Openings, "a wrong token of the user is no failure of the target")
		assert.LessOrEqual(t, len(s.Calls()), 8, "a refused credential is not tried again and again: targets lock clients out")
	})
}

func TestARefusalThatAWrongTokenDoesNotGetIsTheTargets(t *testing.T) {
	odd := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if status(d.Conforming(c.Request)) == 401 {
			return fake.Answer(401, "", "")
		}
		return fake.Answer(403, "", "")
	}
	script(t, odd, func(s scene) {
		assert.False(t, s.Learn(s.t.Context()))
		assert.Empty(t, s.Reasons)
		assert.Len(t, s.Openings, 1)
	})
}

func TestAWrongBaseAddressIsSaidToBeTheReason(t *testing.T) {
	none := func(*fake.Document, fake.Call) *exchange.Exchange { return fake.Answer(404, "text/html", "") }
	script(t, none, func(s scene) {
		assert.False(t, s.Learn(s.t.Context()))
		assert.Contains(t, strings.Join(s.Reasons, "\n"), "no operation found at")
	})
}

func TestATargetThatAnswersOnly429IsNotJudged(t *testing.T) {
	never := func(_ *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Number > 500 {
			return fake.Answer(500, "", "")
		}
		return fake.Throttling("20")
	}
	script(t, never, func(s scene) {
		assert.False(t, s.Learn(s.t.Context()))
		assert.Contains(t, strings.Join(s.Reasons, "\n"), "answers every request with 429")
		assert.Empty(t, s.Openings)
	})
}

// serves is a conforming server that serves n connections; others get
// what over says.
func serves(n int, over func(c fake.Call) *exchange.Exchange) func(*fake.Document, fake.Call) *exchange.Exchange {
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Place > n {
			return over(c)
		}
		return d.Conforming(c.Request)
	}
}

func TestConnectionsThatAreTurnedAwayAreNotServed(t *testing.T) {
	busy := func(c fake.Call) *exchange.Exchange { return fake.Throttling("1") }
	script(t, serves(3, busy), func(s scene) {
		f := s.learn()
		assert.Equal(t, 3, f.Connections)
		assert.True(t, f.Few)
		assert.True(t, f.Limited)
	})
}

func TestConnectionsThatGetNoAnswerAreNotServed(t *testing.T) {
	timeouts := func(fake.Call) *exchange.Exchange { return fake.Lasting(time.Hour, fake.Answer(500, "", "")) }
	script(t, serves(1, timeouts), func(s scene) {
		f := s.learn()
		assert.Equal(t, 1, f.Connections)
		assert.True(t, f.Few)
		assert.False(t, f.Limited)
	})
}

func TestATargetThatIsBusyAtTheProbeServesAllConnections(t *testing.T) {
	probed := false
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if probed = probed || c.Open > 1; probed {
			return fake.Lasting(4*time.Second, e) // far beyond CapacityWait
		}
		return e
	}
	script(t, slow, func(s scene) {
		assert.Equal(t, limits.Probed, s.learn().Connections, "no clock tells slow from not served")
	})
}

func TestALimitOnRequestsIsNoLimitOnConnections(t *testing.T) {
	until := time.Time{}
	limit := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Open > 1 && until.IsZero() {
			until = time.Now().Add(time.Second)
		}
		if time.Now().Before(until) {
			return fake.Throttling("1")
		}
		return d.Conforming(c.Request)
	}
	script(t, limit, func(s scene) {
		f := s.learn()
		assert.Equal(t, limits.Probed, f.Connections)
		assert.False(t, f.Limited)
	})
}

func TestAConnectionTooManyIsTriedAgainWhileTheOneBeforeIsClosing(t *testing.T) {
	closing := 0
	one := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if c.Place > 1 {
			return fake.Failing(exchange.Dropped)
		}
		if closing > 0 && c.Fresh {
			closing--
			return fake.Failing(exchange.Dropped)
		}
		return d.Conforming(c.Request)
	}
	script(t, one, func(s scene) {
		require.Equal(t, 1, s.learn().Connections)
		closing = 3
		assert.Equal(t, 200, status(s.send(s.baseline())))
	})
}

func TestOnlyARefusalLikeThatOfARepeatExcusesAValueThatOthersMayHaveSent(t *testing.T) {
	script(t, (&store{unique: []string{"id"}, status: 400}).serve, func(s scene) {
		known := s.learn().Of(s.Op())
		looks := func(id, answer string) bool {
			m := s.baseline()
			if id != "" {
				m.Tree.Set("id", jsontree.NewRaw(id))
			}
			e := fake.Answer(400, "application/json", answer)
			e.Request = s.Endpoint.Wire(m, "case")
			return known.LooksRepeated(requirement.Read(s.Op(), e), s.Endpoint.Classify(m, e.Request), s.Identity(0))
		}
		const largest, exists = "9223372036854775807", `{"error":1,"message":"exists"}`
		assert.True(t, looks(largest, exists), "an earlier run may have sent it")
		assert.False(t, looks(largest, `{"error":1,"message":"too large"}`), "this is refused for another reason")
		assert.False(t, looks("", exists), "nobody sent a fresh value before")
	})
}

// together gets the values of four requests of an operation at the same time, from a
// server that takes a second for each answer. It returns those it got.
func together(t *testing.T, s http.Handler, then func()) (values []string) {
	t.Helper()
	w := learned(t, users, s)
	w.Client.ServeCall = func(c fake.Call) *exchange.Exchange {
		e := fake.Handled(s)(c.Request)
		e.Took = time.Second
		return e
	}
	then()
	got := make(chan string)
	for range 4 {
		go func() {
			m, err := w.bound("getUser")
			if err != nil {
				got <- ""
				return
			}
			got <- m.At("path/userId").Text
		}()
	}
	for range 4 {
		values = append(values, <-got)
	}
	return values
}

func TestRequestsAtTheSameTimeWaitForOneThing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, made := newService(`{"id":%d}`), 0
		values := together(t, s, func() { made = s.users })
		assert.Equal(t, made+1, s.users)
		for _, v := range values {
			assert.Equal(t, values[0], v)
		}
	})
}

func TestWhoeverWaitedInVainMakesTheThing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, refuse, began := newService(`{"id":%d}`), 0, time.Time{}
		values := together(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" && refuse > 0 {
				refuse--
				respond(w, 400, `{}`)
				return
			}
			s.ServeHTTP(w, r)
		}), func() { refuse, began = limits.SetUpTries, time.Now() })
		failed := slices.DeleteFunc(values, func(v string) bool { return v != "" })
		assert.Len(t, failed, 1, "the first, which was refused each time")
		assert.Equal(t, (limits.SetUpTries+1)*time.Second, time.Since(began), "none of them waits again")
	})
}

// TestATargetThatWantsTheFieldsInAnotherOrderFailsAndIsNotAWrongToken answers the
// valid token in the usual order as it answers a wrong one.
func TestATargetThatWantsTheFieldsInAnotherOrderFailsAndIsNotAWrongToken(t *testing.T) {
	for _, status := range []int{400, 401, 403} {
		doc := fake.Plants(t)
		target := doc.Target(func(r *exchange.Request) *exchange.Exchange {
			if bytes.Index(r.Head, []byte("Authorization:")) < bytes.Index(r.Head, []byte("Content-Length:")) {
				return fake.Answer(status, "application/json", `{"error":1,"message":"no"}`)
			}
			return doc.Conforming(r)
		})
		assert.False(t, target.Learn(t.Context()))
		require.Len(t, target.Openings, 1, "the refusal is judged")
		assert.Equal(t, status, target.Openings[0].Exchange.Response.Status)
		reasons := strings.Join(target.Reasons, "; ")
		assert.Contains(t, reasons, "another order (credential-last)")
		assert.NotContains(t, reasons, "credential not accepted")
	}
}

func TestATargetThatRefusesEveryOrderIsNotSaidToWantAnother(t *testing.T) {
	doc := fake.Plants(t)
	target := doc.Target(func(*exchange.Request) *exchange.Exchange {
		return fake.Answer(401, "application/json", `{"error":1,"message":"no"}`)
	})
	assert.False(t, target.Learn(t.Context()))
	assert.Empty(t, target.Openings)
	assert.Contains(t, strings.Join(target.Reasons, "; "), "credential not accepted")
}
