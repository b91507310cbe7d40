package execute_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// cards are things that are made, read and deleted, with a credential.
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

// stranger is the credential of the other principal.
const stranger = "other-9Kw2"

// byStranger runs a case that makes a card, and then reads and deletes it as the other
// principal. It returns what became of it, and the methods that the other one sent in
// the case.
func byStranger(t *testing.T, card func(other bool) (status int, body string)) (*judge.Record, []string) {
	t.Helper()
	d := fake.Of(t, cards, plan.Mutator{Name: "strange", Doc: "One card.", Classes: func(s *plan.Space) []plan.Class {
		if s.Op.ID != "dropCard" {
			return nil
		}
		return []plan.Class{{Family: plan.FamilySequence, Kind: "card", Phase: plan.Lifecycle, Cases: 1, Build: func(g *generate.Gen, _ int) []plan.Step {
			r := s.Resources[0]
			steps := []plan.Step{{Message: g.Request(r.Make, false)}, {Message: g.Request(r.Read, false), About: true},
				{Message: g.Request(r.Read, false), About: true}, {Message: g.Request(r.Delete, false), About: true}}
			steps[2].Message.Other, steps[3].Message.Other = true, true
			return steps
		}}}
	}})
	d.Endpoint.Other = map[string]string{"key": stranger}
	d.Endpoint.NameCases = true
	d.Contract.ChooseOther(func(*openapi.Scheme) bool { return true })
	var sent []string
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		other := r.Header.Get("Authorization") == "Bearer "+stranger
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
	r, sent := byStranger(t, func(other bool) (int, string) {
		if other {
			return 403, ""
		}
		return 200, `{"id":7}`
	})
	assert.Equal(t, judge.Tried, r.State, r.Why)
	assert.Equal(t, []string{"GET", "DELETE"}, sent)
}

func TestTheOtherPrincipalDeletesNoCardOfItsOwn(t *testing.T) {
	r, sent := byStranger(t, func(other bool) (int, string) {
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
	r, sent := byStranger(t, func(other bool) (int, string) {
		if other {
			return 401, ""
		}
		return 200, `{"id":7}`
	})
	assert.Equal(t, judge.Inapplicable, r.State)
	assert.Equal(t, "the other credential is not accepted: addCard returns 401 for it: give one with --auth-other that the target accepts", r.Why)
	assert.Empty(t, sent)
}
