package execute_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// cards are resources that are made, read and deleted, with a credential.
const cards = `
openapi: 3.1.0
info: {title: t, version: '1'}
security: [{key: []}]
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths:
  /cards:
    post:
      operationId: addCard
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}, '401': {description: d}}
  /cards/{cardId}:
    parameters: [{name: cardId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getCard
      responses: {'200': {description: d, content: {application/json: {schema: {type: object}}}}, '403': {description: d}}
    delete:
      operationId: dropCard
      responses: {'204': {description: d}, '403': {description: d}}
`

// secondCredential is the credential of the other principal.
const secondCredential = "other-9Kw2"

// bySecondPrincipal runs a case that makes a card, and then reads and deletes it as the other
// principal. It returns what became of it, and the methods that the other one sent in
// the case.
func bySecondPrincipal(t *testing.T, card func(other bool) (status int, body string)) (*judge.Record, []string) {
	t.Helper()
	d := fake.Of(t, cards, plan.Mutator{Name: "strange", Doc: "One card.", Classes: func(s *plan.Space) []plan.Class {
		if s.Op.ID != "dropCard" {
			return nil
		}
		return []plan.Class{{Family: plan.FamilySequence, Kind: "card", Phase: plan.Scenarios, Cases: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
			r := s.Resources[0]
			steps := []plan.Step{{Message: g.Request(r.Make, false)}, {Message: g.Request(r.Read, false), Kind: plan.About},
				{Message: g.Request(r.Read, false), Kind: plan.About}, {Message: g.Request(r.Delete, false), Kind: plan.About}}
			steps[2].Message.Other, steps[3].Message.Other = true, true
			return steps
		}}}
	}})
	d.Endpoint.Other = map[string]string{"key": secondCredential}
	d.Endpoint.NameCases = true
	d.HaveOther("key")
	var sent []string
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		other := r.Header.Get("Authorization") == "Bearer "+secondCredential
		if other && strings.Contains(r.Header.Get("X-Conformance-Case"), "/strange/") {
			sent = append(sent, r.Method)
		}
		w.Header().Set("Content-Type", "application/json")
		status, body := card(other)
		switch {
		case r.Method == http.MethodPost && status != 401:
			status, body = 201, `{"id":7}`
		case r.Method == http.MethodDelete && status == 200:
			status, body = 204, ""
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	run, _ := against(t, d, mux, execute.Settings{Workers: 1}, func(*explore.Target) {})
	return run.Record(d.Plan.Cases[0]), sent
}

func TestTheOtherPrincipalIsRefusedAndTheCaseGoesOn(t *testing.T) {
	r, sent := bySecondPrincipal(t, func(other bool) (int, string) {
		if other {
			return 403, ""
		}
		return 200, `{"id":7}`
	})
	assert.Equal(t, judge.Tried, r.State, r.Why)
	assert.Equal(t, []string{"GET", "DELETE"}, sent)
}

func TestTheOtherPrincipalDeletesNoCardOfItsOwn(t *testing.T) {
	r, sent := bySecondPrincipal(t, func(other bool) (int, string) {
		if other {
			return 200, `{"id":7,"text":"old"}`
		}
		return 200, `{"id":7,"text":"new"}`
	})
	assert.Equal(t, judge.Inapplicable, r.State)
	assert.Equal(t, "it could change what the run did not make", r.Why)
	assert.Equal(t, []string{"GET"}, sent)
}

func TestNothingIsTriedWithACredentialThatIsNotAccepted(t *testing.T) {
	r, sent := bySecondPrincipal(t, func(other bool) (int, string) {
		if other {
			return 401, ""
		}
		return 200, `{"id":7}`
	})
	assert.Equal(t, judge.Inapplicable, r.State)
	assert.Equal(t, "the other credential is not accepted: addCard returns 401 for it: give one with --auth-other that the target accepts", r.Why)
	assert.Empty(t, sent)
}

// hall is a server of resources of several kinds that gives the key of what was deleted to
// the next thing, unless somebody asked for it since. The client asks for one thing after
// the other.
type hall struct {
	// joined kinds share their keys and their resources, and the document does not tell.
	joined bool
	kinds  map[string]*shelf
}

// shelf has the resources of a kind.
type shelf struct {
	there map[string]bool
	freed []string
	last  int
}

func (h *hall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, key, item := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if h.joined {
		kind = "all"
	}
	if h.kinds[kind] == nil {
		h.kinds[kind] = &shelf{there: map[string]bool{}}
	}
	switch s := h.kinds[kind]; {
	case !item:
		if len(s.freed) == 0 {
			s.last++
			s.freed = []string{strconv.Itoa(s.last)}
		}
		key, s.freed = s.freed[0], s.freed[1:]
		s.there[key] = true
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id":%s}`, key)
	case !s.there[key]:
		s.freed = slices.DeleteFunc(s.freed, func(k string) bool { return k == key })
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(s.there, key)
		s.freed = append(s.freed, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		_, _ = w.Write([]byte("a thing"))
	}
}

// lasts is how long the hall needs. A deletion takes another time for each kind, so that
// workers do not keep step: who is ready first creates a resource that is still there when
// the others ask for theirs.
func lasts(r *exchange.Request) time.Duration {
	switch kind, deletion := bytes.CutPrefix(r.Head, []byte("DELETE /kind")); {
	case deletion:
		return 3 * time.Duration(kind[0]-'0'+1) * time.Millisecond
	case bytes.HasPrefix(r.Head, []byte("POST ")):
		return 20 * time.Millisecond
	}
	return time.Millisecond
}

// among plays the cases that ask for deleted resources against a hall of five kinds, with four workers.
// It returns how many requests were under way at most, and how many cases were sent twice.
func among(t *testing.T, h *hall) (maximum, again int) {
	t.Helper()
	var document strings.Builder
	paths := strings.Index(lamps, "  /lamps:")
	document.WriteString(lamps[:paths])
	for n := range 5 {
		document.WriteString(strings.NewReplacer("lamp", fmt.Sprintf("kind%d", n), "Lamp", fmt.Sprintf("Kind%d", n)).Replace(lamps[paths:]))
	}
	apart := slices.DeleteFunc(checks.Scenarios(), func(m plan.Mutator) bool { return m.Name != "deleted" })
	synctest.Test(t, func(t *testing.T) {
		h.kinds = map[string]*shelf{}
		d := fake.Of(t, document.String(), apart...)
		d.Endpoint.NameCases = true
		serve := fake.Handled(h)
		c := &fake.Client{ServeCall: func(c fake.Call) *exchange.Exchange {
			return fake.Lasting(lasts(c.Request), serve(c.Request))
		}}
		to, j := explore.New(d.Over(c)), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Facts = to.Facts
		require.True(t, to.Learn(t.Context()))
		learned := len(c.Calls())
		run := execute.New(to, j, execute.Settings{Workers: 4}, d.Plan.Cases, true)
		j.Cover(d.Plan.Cases)
		run.All(t.Context())
		sent := map[string]int{}
		for _, call := range c.Calls()[learned:] {
			maximum = max(maximum, call.Concurrent)
			sent[call.Case]++
		}
		require.NotEmpty(t, d.Plan.Cases)
		for _, c := range d.Plan.Cases {
			r := run.Record(c)
			assert.Equal(t, judge.Tried, r.State, c.ID)
			assert.Empty(t, r.Failures, c.ID)
			if sent[c.ID] > c.Steps() {
				again++
			}
		}
	})
	return maximum, again
}

func TestADeletionRunsBesideThoseOfThingsOfOtherFamilies(t *testing.T) {
	maximum, again := among(t, &hall{})
	assert.Equal(t, 4, maximum)
	assert.Zero(t, again, "no case beside it got the key that was deleted")
}

func TestWhatFailsBesideOthersCountsOnlyIfItFailsAlone(t *testing.T) {
	_, again := among(t, &hall{joined: true})
	assert.Positive(t, again, "cases beside them got the keys that were deleted")
}
