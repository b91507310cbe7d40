package execute_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// users is a document of things that are made, read and deleted.
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
		return []plan.Class{{Family: plan.FamilyValid, Kind: "id", Cases: 1, Build: func(g *generate.Gen, _ int) []plan.Step {
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
