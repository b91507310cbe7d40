package execute_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
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
	"plantstore/conformance/internal/openapi"
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
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Waits: time.Second, Expected: message.Accept, Build: func(g *plan.Gen, _ int) []plan.Step {
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

// users is a document of resources that are made, read and deleted.
const users = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /users:
    post:
      operationId: addUser
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}, '400': {description: d}}
  /users/{userId}:
    parameters: [{name: userId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getUser
      responses: {'200': {description: d}, '404': {description: d}}
    delete:
      operationId: dropUser
      responses: {'204': {description: d}, '404': {description: d}}
`

// about is a mutator that sends the baseline request of every operation, or one about
// the given id.
func about(id *jsontree.Value) plan.Mutator {
	return plan.Mutator{Name: "about", Doc: "One id.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "id", Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			m := g.Baseline()
			if id != nil && m.Params != nil {
				m.Set("path/userId", id.Clone())
			}
			return []plan.Step{{Message: m}}
		}}}
	}}
}

// userStore makes users from the number 1. After broken is set, it makes no more.
type userStore struct {
	*http.ServeMux
	users  int
	broken bool
	sent   []string // the requests of cases
}

func newUserStore() *userStore {
	s := &userStore{ServeMux: http.NewServeMux()}
	s.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) {
		if s.broken {
			w.WriteHeader(400)
			return
		}
		s.users++
		w.WriteHeader(201)
		fmt.Fprintf(w, `{"id":%d}`, s.users)
	})
	s.HandleFunc("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("X-Conformance-Case"), "/about/") {
			s.sent = append(s.sent, r.Method+" "+r.PathValue("id"))
		}
		if id := r.PathValue("id"); id > fmt.Sprint(s.users) {
			w.WriteHeader(404)
		} else if r.Method == "DELETE" {
			w.WriteHeader(204)
		}
	})
	return s
}

// about runs the cases about an id, after the pre-flight and what happens then. It
// returns what became of the case of an operation.
func (s *userStore) about(t *testing.T, id *jsontree.Value, then func()) func(operation string) *judge.Record {
	t.Helper()
	d := fake.Of(t, users, about(id))
	d.Endpoint.NameCases = true
	run, _ := against(t, d, s, execute.Settings{Workers: 1}, func(*explore.Target) { then() })
	return func(operation string) *judge.Record {
		i := slices.IndexFunc(d.Plan.Cases, func(c *plan.Case) bool { return c.Op.ID == operation })
		return run.Record(d.Plan.Cases[i])
	}
}

func TestACaseWhoseSetUpFailsIsNotJudgedAndSaysWhatFailed(t *testing.T) {
	s := newUserStore()
	of := s.about(t, nil, func() { s.broken = true })
	r := of("dropUser")
	assert.NotEqual(t, judge.Tried, r.State)
	assert.Equal(t, "what it needs could not be made: addUser, which it needs, was answered with 400", r.Why)
	assert.Empty(t, r.Failures)
}

func TestNothingIsDeletedThatTheRunDidNotMake(t *testing.T) {
	s := newUserStore()
	of := s.about(t, jsontree.NewInt(1), func() {})
	r := of("dropUser")
	assert.Equal(t, judge.Inapplicable, r.State)
	assert.Equal(t, "it could change what the run did not make", r.Why)
	assert.Equal(t, []string{"GET 1"}, s.sent, "to read another thing harms nobody")
}

func TestAnIdThatNamesNothingIsSent(t *testing.T) {
	s := newUserStore()
	of := s.about(t, jsontree.NewString("none"), func() {})
	assert.NotEqual(t, judge.Inapplicable, of("dropUser").State)
	assert.Contains(t, s.sent, "DELETE none")
}

func TestACaseDeletesTheThingThatWasMadeForIt(t *testing.T) {
	s := newUserStore()
	made := 0
	of := s.about(t, nil, func() { made = s.users })
	assert.Equal(t, judge.Tried, of("dropUser").State)
	for _, line := range s.sent {
		method, id, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(id)
		require.NoError(t, err)
		assert.Greater(t, n, made)
		assert.NotContains(t, s.sent, map[string]string{"GET": "DELETE ", "DELETE": "GET "}[method]+id, "that of another case")
	}
	assert.Len(t, s.sent, 2)
}

// acceptsAll answers every request with a plant, whatever its body and credential.
func acceptsAll(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name string `json:"name"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &in) // what is no plant gets a plant all the same
	out, _ := json.Marshal(map[string]string{"name": in.Name})
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out)
}

func TestARunEndsAtAFailureThatIsEnoughAndCanBeResumed(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, enough := range []bool{true, false} {
		d := fakerun.Plants(t, "baseline", "wrong-types", "credentials")
		run, _ := against(t, d, http.HandlerFunc(acceptsAll), execute.Settings{Workers: 1, Stops: func(f *judge.Failure) bool {
			asked++
			return enough
		}}, func(*explore.Target) {})
		failed, untried := counted(run)
		assert.Equal(t, enough, run.Stopped())
		if !enough {
			assert.Greater(t, failed, 1)
			assert.Zero(t, untried, "no failure was enough")
			continue
		}
		assert.Equal(t, 1, failed)
		assert.Positive(t, untried)
		for _, c := range run.Cases {
			if c.Class.Phase == plan.Credential {
				require.Nil(t, run.Record(c), "%s was tried after the end", c.ID)
			}
		}
		run.Resume(t.Context())
		again, untried := counted(run)
		assert.False(t, run.Stopped())
		assert.Greater(t, again, failed)
		assert.Zero(t, untried)
	}
	assert.Greater(t, asked, 2)
}

// counted counts the cases that failed and those without a record.
func counted(run *execute.Run) (failed, untried int) {
	for _, c := range run.Cases {
		switch r := run.Record(c); {
		case r == nil:
			untried++
		case len(r.Failures) > 0:
			failed++
		}
	}
	return failed, untried
}

const three = `
openapi: 3.1.0
info: {title: t, version: '1'}
security: [{key: []}]
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  schemas:
    Thing: {type: object, required: [name, size], properties: {name: {type: string, minLength: 1, maxLength: 9}, size: {type: integer, minimum: 1}}}
paths:
  /books: {post: &op {requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'200': {description: d}, '400': {description: d}, '401': {description: d}}}}
  /films: {post: *op}
  /songs: {post: *op}
`

func TestARunThatTimeCutTriedEachKindOfEachOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fake.Of(t, three, fakerun.Mutators(t, "baseline", "missing-members", "wrong-types", "keyword-violations", "string-values", "malformed-body", "credentials")...)
		serve := func(c fake.Call) *exchange.Exchange {
			at := slices.IndexFunc(d.Contract.Operations, func(op *openapi.Operation) bool { return bytes.Contains(c.Head, []byte(" "+op.Path)) })
			e := fake.Answer(http.StatusOK, "", "")
			switch s := d.Endpoint.ClassifyBytes(d.Contract.Operations[max(at, 0)], c.Request, c.Body); s.Expectation() {
			case message.RefuseCredential:
				e = fake.Answer(http.StatusUnauthorized, "", "")
				e.Response.Fields = []exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}}
			case message.Refuse, message.RefuseNotJSON, message.RefuseAnyhow:
				e = fake.Answer(http.StatusBadRequest, "", "")
			}
			return fake.Lasting(50*time.Millisecond, e)
		}
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: serve})
		o.Sending = j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		ctx, stop := context.WithTimeout(t.Context(), 8*time.Second)
		defer stop()
		run := execute.New(to, j, execute.Settings{Workers: 1}, d.Plan.Cases, to.Learn(ctx))
		j.Cover(d.Plan.Cases)
		run.All(ctx)

		type kind struct{ operation, family, mutator string }
		planned, tried, left := map[kind]bool{}, map[kind]bool{}, 0
		for _, c := range d.Plan.Cases {
			k := kind{c.Op.Slug, string(c.Class.Family), c.Class.Mutator}
			planned[k] = true
			if r := run.Record(c); r != nil && r.State == judge.Tried {
				assert.Empty(t, r.Failures, c.ID)
				tried[k] = true
			} else {
				left++
			}
		}
		assert.Equal(t, planned, tried)
		assert.Greater(t, 2*left, len(d.Plan.Cases), "the limit cuts most of the run")
	})
}
