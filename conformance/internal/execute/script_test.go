package execute_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// answerer is a scripted server that sees the call.
type answerer func(d *fake.Document, c fake.Call) *exchange.Exchange

// script is a run against a scripted server.
type script struct {
	serve   answerer
	cases   []plan.Mutator
	workers int           // 1 where it is 0
	spare   bool          // the run may use more if the target serves them
	timeout time.Duration // of an answer; 10 s where it is 0
	ends    time.Duration // when the run ends; never where it is 0
	trace   func(c *plan.Case, step int, p *judge.Played)
	noted   func(caseID string, p *judge.Played)
}

// scene is the run that a script made.
type scene struct {
	*fake.Document
	*fake.Client
	*execute.Run
	to   *explore.Target
	took time.Duration
}

// play makes the run, in a bubble where waiting takes no time, and looks at it.
func play(t *testing.T, s script, look func(t *testing.T, s scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		// What the pre-flight sent is filed with the first case.
		d := fake.Plants(t, append([]plan.Mutator{singles(opening, 1)}, s.cases...)...)
		d.Endpoint.NameCases = true
		c := &fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange { return s.serve(d, call) }}
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Noted = s.noted
		o := d.Over(c)
		o.Timeout, o.Sending, o.Resent = cmp.Or(s.timeout, 10*time.Second), j.Origins.Note, j.JudgeResent
		to := explore.New(o)
		j.Facts = to.Facts
		ctx := t.Context()
		if s.ends > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, s.ends)
			defer stop()
		}
		began := time.Now()
		run := execute.New(to, j, execute.Settings{Workers: cmp.Or(s.workers, 1), Spare: s.spare, Trace: s.trace}, d.Plan.Cases, to.Learn(ctx))
		j.Cover(d.Plan.Cases)
		run.All(ctx)
		look(t, scene{d, c, run, to, time.Since(began)})
	})
}

// opening is the mutator of the case that the requests of the pre-flight are filed
// with.
const opening = "opening"

// of lists the cases of a mutator.
func (s scene) of(mutator string) []*plan.Case {
	var out []*plan.Case
	for _, c := range s.Run.Cases {
		if c.Class.Mutator == mutator {
			out = append(out, c)
		}
	}
	return out
}

// ways lists how the cases of a mutator failed, by the case; those that did not
// are left out.
func (s scene) ways(mutator string) map[string]string {
	out := map[string]string{}
	for _, c := range s.of(mutator) {
		if r := s.Record(c); r != nil {
			for _, f := range r.Failures {
				out[c.ID] += s.Judge.Bound[f.At].ID + ": " + f.Outcome.Signature + "\n"
			}
		}
	}
	return out
}

// why lists what is said of the cases of a mutator that were not tried.
func (s scene) why(mutator string) []string {
	var out []string
	for _, c := range s.of(mutator) {
		if r := s.Record(c); r != nil && r.Why != "" {
			out = append(out, r.Why)
		}
	}
	return out
}

// passes asserts that every case was judged and none failed.
func (s scene) passes(t *testing.T) {
	t.Helper()
	for _, c := range s.Run.Cases {
		r := s.Record(c)
		if assert.NotNil(t, r, c.ID) {
			assert.Equal(t, judge.Tried, r.State, "%s: %s", c.ID, r.Why)
			assert.Empty(t, r.Failures, c.ID)
			assert.Empty(t, r.OwnFault, c.ID)
		}
	}
	assert.Empty(t, s.to.Reasons)
}

// of reports whether a call is of a case of a mutator.
func of(c fake.Call, mutator string) bool { return strings.Contains(c.Case, "/"+mutator+"/") }

// sent lists the calls of the cases of a mutator.
func (s scene) sent(mutator string) []fake.Call {
	var out []fake.Call
	for _, c := range s.Calls() {
		if of(c, mutator) {
			out = append(out, c)
		}
	}
	return out
}

// making makes one class of a mutator.
func making(name string, class plan.Class) plan.Mutator {
	class.Kind = "kind"
	return plan.Mutator{Name: name, Doc: "For tests.", Classes: func(*plan.Space) []plan.Class { return []plan.Class{class} }}
}

// singles are n cases of one baseline request each.
func singles(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Expected: message.Accept, Build: func(g *plan.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}}
	}})
}

// sequence is n cases of several baseline requests on a connection each; shape,
// where there is one, changes the steps.
func sequence(name string, n, requests int, shape func(steps []plan.Step)) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: n, Build: func(g *plan.Gen, _ int) []plan.Step {
		var steps []plan.Step
		for range requests {
			steps = append(steps, plan.Step{Message: g.Baseline()})
		}
		if shape != nil {
			shape(steps)
		}
		return steps
	}})
}

// heavy is n cases of one request with so many blanks behind it.
func heavy(name string, n, size int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyMayRefuse, Phase: plan.Heavy, Cases: n, Build: func(g *plan.Gen, _ int) []plan.Step {
		m := g.Baseline()
		m.Raw = append(m.Body(), strings.Repeat(" ", size)...)
		return []plan.Step{{Message: m}}
	}})
}

// wrongTokens is n cases of one request with a wrong token.
func wrongTokens(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyCredential, Phase: plan.Credential, Cases: n, Expected: message.RefuseCredential,
		Build: func(g *plan.Gen, _ int) []plan.Step {
			m := g.Baseline()
			m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer other" }}}
			return []plan.Step{{Message: m}}
		}})
}

// conforming is the server that the document describes.
func conforming(d *fake.Document, c fake.Call) *exchange.Exchange { return d.Conforming(c.Request) }

// hanging is an exchange that never ends.
func hanging() *exchange.Exchange { return fake.Lasting(1000*time.Hour, fake.Answer(500, "", "")) }

// parallel makes n requests that are sent together, a connection each.
func parallel(n int) func(*plan.Gen, int) []plan.Step {
	return func(g *plan.Gen, _ int) []plan.Step {
		var steps []plan.Step
		for i := range n {
			steps = append(steps, plan.Step{Message: g.Baseline(), Sending: plan.Sending{Connection: i, Parallel: true}})
		}
		return steps
	}
}

// nth is a conforming server but for the nth request of each case of a mutator.
func nth(mutator string, n int, e func() *exchange.Exchange) answerer {
	seen := map[string]int{}
	return func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, mutator) {
			if seen[c.Case]++; seen[c.Case] == n {
				return e()
			}
		}
		return d.Conforming(c.Request)
	}
}

func TestBehindAFailedStepNothingIsJudged(t *testing.T) {
	wrong := func() *exchange.Exchange { return fake.Answer(500, "text/html", "<p>") }
	both := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "several") {
			return wrong()
		}
		return d.Conforming(c.Request)
	}
	var steps []int
	trace := func(c *plan.Case, step int, _ *judge.Played) {
		if c.Class.Mutator == "several" {
			steps = append(steps, step)
		}
	}
	checked := 0
	noted := func(caseID string, _ *judge.Played) {
		if strings.Contains(caseID, "/several/") {
			checked++
		}
	}
	play(t, script{serve: both, cases: []plan.Mutator{sequence("several", 1, 3, nil)}, trace: trace, noted: noted}, func(t *testing.T, s scene) {
		r := s.Record(s.of("several")[0])
		require.Len(t, r.Failures, 1, "what comes behind may follow from it")
		assert.Equal(t, 0, r.Failures[0].Step)
		assert.Len(t, s.sent("several"), 3, "all is sent: the target must stand it")
		assert.Equal(t, []int{0}, steps)
		assert.Equal(t, 1, checked)
	})
}

func TestTheFailingStepOfASequenceIsNamed(t *testing.T) {
	wrong := func() *exchange.Exchange { return fake.Answer(500, "text/html", "<p>") }
	play(t, script{serve: nth("several", 2, wrong), cases: []plan.Mutator{sequence("several", 1, 3, nil)}}, func(t *testing.T, s scene) {
		r := s.Record(s.of("several")[0])
		require.Len(t, r.Failures, 1)
		assert.Equal(t, 1, r.Failures[0].Step)
		assert.Len(t, r.Failures[0].Steps, 2)
	})
}

func TestADropInsideASequenceEndsItAndStartsItAnew(t *testing.T) {
	play(t, script{serve: nth("several", 2, failing(exchange.Dropped)), cases: []plan.Mutator{sequence("several", 1, 4, nil)}}, func(t *testing.T, s scene) {
		s.passes(t)
		assert.Len(t, s.sent("several"), 2+4)
	})
}

func TestALongSequenceThatIsCutShortPassesNothing(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "long") {
			return fake.Lasting(limits.SequenceTime/limits.SequenceMin, d.Conforming(c.Request))
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: slow, cases: []plan.Mutator{sequence("long", 2, 3*limits.SequenceMin, nil)}, timeout: time.Minute}, func(t *testing.T, s scene) {
		first, second := s.Record(s.of("long")[0]), s.Record(s.of("long")[1])
		assert.Equal(t, judge.Tried, first.State, "the first of its class is sent whole")
		assert.False(t, first.Passed.Empty())
		assert.NotEqual(t, judge.Tried, second.State)
		assert.True(t, second.Passed.Empty())
		assert.NotEmpty(t, second.Why)
	})
}

func TestAValueThatSeveralRequestsSendTogetherMayBeRefusedToAny(t *testing.T) {
	name := "" // of the first
	same := making("same", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 1, Connections: 2, Build: func(g *plan.Gen, _ int) []plan.Step {
		first, second := g.Baseline(), g.Baseline()
		name = first.Tree.Get("name").Text
		second.Tree.Set("id", first.Tree.Get("id").Clone())
		return []plan.Step{{Message: first, Sending: plan.Sending{Parallel: true}}, {Message: second, Sending: plan.Sending{Connection: 1, Parallel: true}}}
	}})
	firstLoses := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "same") && fake.Holds(c.Request, name) {
			return fake.Answer(400, "application/json", `{"error":400,"message":"exists"}`)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: firstLoses, cases: []plan.Mutator{same}}, func(t *testing.T, s scene) { s.passes(t) })
}

func TestARefusedRequestLeavesItsValuesFree(t *testing.T) {
	after := sequence("after", 1, 2, func(steps []plan.Step) {
		bad, good := steps[0].Message.Tree, steps[1].Message.Tree
		bad.Set("id", good.Get("id").Clone())
		bad.Set("name", jsontree.NewInt(1))
	})
	seen := map[string]bool{}
	keeps := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		body := d.Endpoint.ClassifyBytes(d.Op(), c.Request, c.Body).Body.Root()
		if id := body.Get("id").Text; of(c, "after") && seen[id] {
			return fake.Answer(400, "application/json", `{"error":400,"message":"exists"}`)
		} else {
			seen[id] = true
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: keeps, cases: []plan.Mutator{after}}, func(t *testing.T, s scene) {
		assert.Len(t, s.ways("after"), 1, "the server keeps the id of a request that it refused")
	})
}

func TestAnOptionalMemberThatTheTargetNeedsIsInEveryCase(t *testing.T) {
	needs := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if !fake.Holds(c.Request, `"tag"`) {
			return fake.Answer(400, "application/json", `{"error":400,"message":"tag"}`)
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: needs, cases: []plan.Mutator{sequence("several", 2, 2, nil)}}, func(t *testing.T, s scene) {
		assert.Empty(t, s.ways("several"), "one row says that the member is needed, not every case")
	})
}

// A server may keep the header of a connection, so that a request passes only behind another.
func TestWhatIsMadeForACaseTravelsOnAConnectionOfItsOwnIfTheCaseIsAlone(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /users: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}},
  "/users/{userId}": {parameters: [{name: userId, in: path, required: true, schema: {type: string}}], delete: {responses: {"204": {description: d}, "404": {description: d}}}}}}`,
		fakerun.Mutators(t, "baseline")...)
	made := 0
	client := &fake.Client{Serve: func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("POST ")) {
			made++
			return fake.Answer(201, "application/json", fmt.Sprintf(`{"id":"u%d"}`, made))
		}
		return fake.Answer(204, "", "")
	}}
	run := fakerun.Over(t, d, client)
	at := slices.IndexFunc(run.Cases, func(c *plan.Case) bool { return c.Op.Method == "DELETE" })
	require.GreaterOrEqual(t, at, 0)
	own := client.Session()
	defer own.Close()
	for _, alone := range []bool{true, false} {
		before := len(client.Calls())
		require.Empty(t, run.Try(t.Context(), run.Cases[at], run.Target.Identity(1), own, execute.Whole).Failures)
		calls := client.Calls()[before:]
		require.Len(t, calls, 2)
		assert.Equal(t, alone, calls[0].Connection != calls[1].Connection)
	}
}
