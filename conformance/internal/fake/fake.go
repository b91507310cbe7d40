// Package fake is for tests: the plant store's document, or another one, with
// everything that is derived from it, and a scripted target that needs no network.
package fake

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/spec"
)

// Token is the credential that the scripted target accepts.
const Token = "user7Zq"

// Document is a document with all that is derived from it.
type Document struct {
	Contract *openapi.Contract
	Reach    *resource.Map // nil for the plant store, which needs none
	Set      *requirement.Set
	Rules    []requirement.Rule
	Plan     *plan.Plan
	Endpoint *message.Endpoint
}

// Plants returns the plant store's document and a plan of its cases, with one draw
// for each class that draws. The plan is empty if no mutators are given.
func Plants(t testing.TB, mutators ...plan.Mutator) *Document {
	t.Helper()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	must(t, err)
	set, c, err := requirement.Overlay(requirement.Derive(c, checks.Rules()), c, "requirements.yaml", spec.Requirements, checks.Names())
	must(t, err)
	return planned(t, &Document{Contract: c, Set: set}, mutators)
}

// Of returns a document and a plan of its cases, like Plants. Its operations may need
// things of one another.
func Of(t testing.TB, text string, mutators ...plan.Mutator) *Document {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(text))
	must(t, err)
	return From(t, c, mutators...)
}

// From is Of for a document that is loaded.
func From(t testing.TB, c *openapi.Contract, mutators ...plan.Mutator) *Document {
	t.Helper()
	reach, c := resource.Analyse(plan.NamePatches(c))
	return planned(t, &Document{Contract: c, Reach: reach, Set: requirement.Derive(c, checks.Rules())}, mutators)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func planned(t testing.TB, d *Document, mutators []plan.Mutator) *Document {
	t.Helper()
	d.Rules, d.Plan = checks.Rules(), Plan(t, d.Contract, 1, 1, plan.Effort{}, mutators...)
	d.Endpoint = Endpoint(d.Plan)
	return d
}

// Plan returns a plan of the cases that mutators make for a document. The effort is set
// before that.
func Plan(t testing.TB, c *openapi.Contract, seed uint64, draws int, effort plan.Effort, mutators ...plan.Mutator) *plan.Plan {
	t.Helper()
	p, err := plan.New(c, auth.List(), seed, draws)
	must(t, err)
	p.Limit(effort)
	if len(mutators) > 0 {
		must(t, p.Fill(t.Context(), mutators))
	}
	return p
}

// Endpoint writes the requests of a plan for the scripted target.
func Endpoint(p *plan.Plan) *message.Endpoint {
	return &message.Endpoint{Token: Token, UserAgent: "test",
		Target: exchange.Target{Scheme: "http", Authority: "target", Address: "target:80"},
		Auth:   func(op *openapi.Operation) *message.Auth { return p.Space(op).Auth }}
}

// HaveOther says that there are credentials of another principal for some schemes.
func (d *Document) HaveOther(names ...string) {
	for _, op := range d.Contract.Operations {
		for _, s := range slices.Concat(op.Security...) {
			s.Other = slices.Contains(names, s.Name)
		}
	}
}

// Op is the first operation.
func (d *Document) Op() *openapi.Operation { return d.Contract.Operations[0] }

// Server answers one request. The Request of the exchange is filled in.
type Server func(r *exchange.Request) *exchange.Exchange

// Target returns a target that a server answers for.
func (d *Document) Target(serve Server) *explore.Target {
	return explore.New(d.Over(&Client{Serve: serve}))
}

// Over returns the options of a target with a client. An answer may take a second.
func (d *Document) Over(c *Client) explore.Options {
	return explore.Options{Contract: d.Contract, Reach: d.Reach, Plan: d.Plan, Endpoint: d.Endpoint, Client: c, Stated: true, Timeout: time.Second, Seed: 1}
}

// Conforming answers as the document asks: what must be refused with 400 and an
// Error, everything else with the body that was sent.
func (d *Document) Conforming(r *exchange.Request) *exchange.Exchange {
	s := d.Endpoint.ClassifyBytes(d.Op(), r, r.Body)
	switch expectation := s.Expectation(); {
	case expectation == message.RefuseCredential:
		e := Answer(401, "", "")
		e.Response.Fields = []exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}}
		return e
	case expectation == message.Accept || expectation == message.Either && s.Body.Root() != nil,
		(s.Credential == message.CredentialCase || s.Credential == message.CredentialBlanks) && s.Body.Kind == schema.MustAccept:
		return Answer(200, "application/json", string(s.Body.Root().Emit()))
	}
	return Answer(400, "application/json", `{"error":400,"message":"no"}`)
}

// Answer is an exchange with a status, a media type and a body.
func Answer(status int, media, body string) *exchange.Exchange {
	r := &exchange.Response{Proto: "HTTP/1.1", Status: status, Body: []byte(body), Content: []byte(body)}
	if media != "" {
		r.Fields = []exchange.Field{{Name: "Content-Type", Value: media}}
	}
	return &exchange.Exchange{Response: r}
}

// Failing is an exchange without an answer.
func Failing(kind exchange.FailureKind) *exchange.Exchange {
	return &exchange.Exchange{Failure: &exchange.Failure{Kind: kind}}
}

// Holds reports whether the body of a request has a text in it.
func Holds(r *exchange.Request, text string) bool { return bytes.Contains(r.Body, []byte(text)) }

// Field returns the value of a header field of a request, or an empty string.
func Field(r *exchange.Request, name string) string {
	_, rest, _ := strings.Cut(string(r.Head), "\r\n"+name+": ")
	value, _, _ := strings.Cut(rest, "\r\n")
	return value
}

// Lasting is an exchange that takes some time, virtual in a bubble.
func Lasting(d time.Duration, e *exchange.Exchange) *exchange.Exchange {
	e.Took = d
	return e
}

// Throttling is the answer of a server that asks to wait, with Retry-After where
// one is given.
func Throttling(after string) *exchange.Exchange {
	e := Answer(429, "", "")
	if after != "" {
		e.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: after}}
	}
	return e
}

// Handled returns a server that answers like a handler, or drops the connection where that aborts.
func Handled(h http.Handler) Server {
	return func(r *exchange.Request) (e *exchange.Exchange) {
		defer func() {
			if p := recover(); p == http.ErrAbortHandler {
				e = Failing(exchange.Dropped)
			} else if p != nil {
				panic(p)
			}
		}()
		read, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(slices.Concat(r.Head, r.Body))))
		if err != nil {
			return Answer(http.StatusBadRequest, "", "")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, read)
		e = Answer(w.Code, "", w.Body.String())
		for name, values := range w.Header() {
			for _, v := range values {
				e.Response.Fields = append(e.Response.Fields, exchange.Field{Name: name, Value: v})
			}
		}
		return e
	}
}

// SeveralMedia is a document whose operation takes a pet as JSON, as the same bytes of
// another name, and as a form.
const SeveralMedia = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          text/json: {schema: {$ref: '#/components/schemas/Pet'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}
      responses: {'201': {description: made}, '400': {description: refused}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, maxLength: 9}, age: {type: integer, minimum: 0}}}
`

// Pets answers as SeveralMedia asks, but accepts every body of the media types that are
// not checked ("*" for all), and refuses those that are not taken.
func (d *Document) Pets(unchecked, refused string) Server {
	return func(r *exchange.Request) *exchange.Exchange {
		for _, op := range d.Contract.Rows() {
			if !strings.Contains(string(r.Head), "Content-Type: "+op.Body.Media+"\r\n") {
				continue
			}
			s := d.Endpoint.ClassifyBytes(op, r, r.Body).Expectation()
			taken := s == message.Accept || s == message.Either || op.Body.Media == unchecked || unchecked == "*"
			if taken && op.Body.Media != refused {
				return Answer(201, "", "")
			}
		}
		return Answer(400, "", "")
	}
}

// Shared has what tests make from a name, such as the plan of a document. It is made once, and no test
// changes it. The zero value is ready to use.
type Shared[T any] struct{ made sync.Map }

// Of returns what belongs to a name, which the first caller makes.
func (s *Shared[T]) Of(name string, first func() T) T {
	made, _ := s.made.LoadOrStore(name, sync.OnceValue(first))
	return made.(func() T)()
}
