package execute_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
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
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
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
		list = append(list, making(fmt.Sprintf("refused-%d", i), plan.Class{Family: plan.FamilyInvalid, Cases: 1, Expected: message.Refuse, Build: func(g *plan.Gen, _ int) []plan.Step {
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
			if c.Class.Expected == message.Refuse {
				assert.True(t, s.Record(c).Passed.Empty(), c.ID)
			}
		}
	})
}

// many is a document of operations alike.
func many(n int) string {
	var b strings.Builder
	b.WriteString(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
`)
	for i := range n {
		fmt.Fprintf(&b, "  /t%03d: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 9}, size: {type: integer, minimum: 1}}}}}}, responses: {'200': {description: d}, '400': {description: d}}}}\n", i)
	}
	return b.String()
}

// TestOperationsOfASlowTargetAreAskedForHalfOfTheTimeAndThenTried has a target that crashes on one
// operation and answers another with a status that the document does not list.
func TestOperationsOfASlowTargetAreAskedForHalfOfTheTimeAndThenTried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 5 * time.Minute
		d := fake.Of(t, many(120), fakerun.Mutators(t, "baseline", "missing-members", "wrong-types")...)
		serve := func(c fake.Call) *exchange.Exchange {
			at := slices.IndexFunc(d.Contract.Operations, func(op *openapi.Operation) bool { return bytes.Contains(c.Head, []byte(" "+op.Path)) })
			e := fake.Answer(http.StatusOK, "", "")
			switch s := d.Endpoint.ClassifyBytes(d.Contract.Operations[max(at, 0)], c.Request, c.Body); {
			case at == 1:
				e = fake.Answer(http.StatusInternalServerError, "", "")
			case s.Expectation().Refuses():
				e = fake.Answer(http.StatusBadRequest, "", "")
			case at == 2:
				e = fake.Answer(http.StatusAccepted, "", "")
			}
			return fake.Lasting(time.Second, e)
		}
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: serve})
		o.Sending = j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		began := time.Now()
		settled := to.LearnInShare(ctx)
		require.True(t, settled)
		assert.Less(t, time.Since(began), limit*11/20)
		assert.True(t, to.Facts.Probed, "how many connections are served is found out all the same")
		run := execute.New(to, j, execute.Settings{Workers: 1}, d.Plan.Cases, settled)
		j.Cover(d.Plan.Cases)
		run.All(ctx)

		reached, left := 0, 0
		for _, op := range d.Contract.Operations[3:] {
			if f := to.Facts.Of(op); f.Accepted {
				reached++
			} else {
				assert.Equal(t, explore.NoTime, f.Unreached)
				left++
			}
		}
		assert.Greater(t, reached, 5)
		assert.Greater(t, left, 5)
		require.Len(t, to.Reasons, 2)
		assert.Contains(t, to.Reasons[0], fmt.Sprintf("%d operations have only their first cases", reached+2))
		assert.Contains(t, to.Reasons[1], fmt.Sprintf("%d operations are not reached", left+1))
		failed := map[string]bool{}
		for _, c := range d.Plan.Cases {
			r := run.Record(c)
			if f := to.Facts.Of(c.Op); f.Unreached == explore.NoTime {
				require.NotNil(t, r)
				assert.True(t, r.Why == explore.NoTime || c.Op == d.Contract.Operations[1], c.ID)
			} else if f.Accepted && c.Class.Mutator == "baseline" && c.Draw == 0 {
				require.NotNil(t, r)
				assert.Equal(t, judge.Tried, r.State, c.ID)
			}
			if r != nil {
				for _, f := range r.Failures {
					failed[j.Bound[f.At].ID] = true
				}
			}
		}
		assert.Contains(t, failed, d.Contract.Operations[1].Slug+"-answered")
		assert.Contains(t, failed, d.Contract.Operations[2].Slug+"-200-status")
		assert.Len(t, failed, 2, "%v", failed)
	})
}
