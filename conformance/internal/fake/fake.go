// Package fake is for tests: the plant store's document with everything that is
// derived from it, and a scripted target that needs no network.
package fake

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/rules"
	"plantstore/conformance/internal/schemes"
	"plantstore/conformance/internal/target"
	"plantstore/spec"
)

// Token is the credential that the scripted target accepts.
const Token = "user7Zq"

// Document is a document with all that is derived from it.
type Document struct {
	Contract *contract.Contract
	Set      *requirement.Set
	Rules    []rule.Rule
	Plan     *plan.Plan
	Endpoint *request.Endpoint
}

// Plants gives the plant store's document and a plan of its cases, each drawing
// class with one draw. The plan is empty where no mutators are given.
func Plants(t testing.TB, mutators ...plan.Mutator) *Document {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := contract.Load("openapi.yaml", spec.OpenAPI)
	must(err)
	set, err := requirement.Overlay(requirement.Derive(c), c, "requirements.yaml", spec.Requirements, rules.Names())
	must(err)
	p, err := plan.New(c, schemes.List(), 1, 1)
	must(err)
	if len(mutators) > 0 {
		must(p.Fill(t.Context(), mutators))
	}
	return &Document{Contract: c, Set: set, Rules: rules.List(), Plan: p, Endpoint: &request.Endpoint{Token: Token, UserAgent: "test",
		Target: exchange.Target{Scheme: "http", Authority: "target", Address: "target:80"},
		Scheme: func(op *contract.Operation) *request.Scheme { return p.Space(op).Scheme }}}
}

// Op is the first operation.
func (d *Document) Op() *contract.Operation { return d.Contract.Operations[0] }

// Server answers one request. The Request of the exchange is filled in.
type Server func(r *exchange.Request) *exchange.Exchange

// Target gives a target that a server stands behind.
func (d *Document) Target(serve Server) *target.Target {
	return target.New(target.Options{Contract: d.Contract, Plan: d.Plan, Endpoint: d.Endpoint, Client: &Client{Serve: serve},
		Timeout: time.Second, Seed: 1})
}

// Conforming answers as the document asks: what must be refused with 400 and an
// Error, everything else with the body that was sent.
func (d *Document) Conforming(r *exchange.Request) *exchange.Exchange {
	s := d.Endpoint.ClassifyBytes(d.Op(), r, r.Body)
	switch duty := s.Duty(); {
	case duty == request.RefuseCredential:
		e := Answer(401, "", "")
		e.Response.Fields = []exchange.Field{{Name: "WWW-Authenticate", Value: "Bearer"}}
		return e
	case duty == request.Accept || duty == request.Either && s.Body.Root() != nil,
		(s.Credential == request.CredentialCase || s.Credential == request.CredentialBlanks) && s.Body.Kind == contract.Plain:
		return Answer(200, "application/json", string(s.Body.Root().Emit()))
	}
	return Answer(400, "application/json", `{"error":400,"message":"no"}`)
}

// Client is a target.Client without a network. It records what was sent.
type Client struct {
	Serve Server

	mu   sync.Mutex
	sent []*exchange.Request
}

// Sent lists the requests so far.
func (c *Client) Sent() []*exchange.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*exchange.Request(nil), c.sent...)
}

// Session opens a session.
func (c *Client) Session() target.Session { return &session{client: c} }

// HTTP2Alone is false: the server is none.
func (c *Client) HTTP2Alone(context.Context, *exchange.Failure) bool { return false }

// OtherScheme is empty: there is none.
func (c *Client) OtherScheme(context.Context) string { return "" }

type session struct {
	client *Client
	kept   bool
}

func (s *session) Do(ctx context.Context, r *exchange.Request, _ time.Duration) *exchange.Exchange {
	if ctx.Err() != nil {
		return &exchange.Exchange{Request: r, Failure: &exchange.Failure{Kind: exchange.Canceled}}
	}
	if r.Err != nil {
		return &exchange.Exchange{Request: r, Failure: &exchange.Failure{Kind: exchange.Dropped}}
	}
	s.client.mu.Lock()
	s.client.sent = append(s.client.sent, r)
	s.client.mu.Unlock()
	e := s.client.Serve(r)
	e.Request, e.Fresh = r, !s.kept
	s.kept = e.Failure == nil
	return e
}

func (s *session) Fresh() { s.kept = false }

func (s *session) Close() {}

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
