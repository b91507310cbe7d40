package explore

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// shared keeps the values that the requests of an operation have in common, where
// they change nothing. Many may use it at the same time.
type shared struct {
	mu     sync.Mutex
	values map[*openapi.Operation]map[string]*jsontree.Value
	// by are the requests that made them.
	by map[*openapi.Operation][]SetUp
	// own are the operations whose requests share nothing any more.
	own map[*openapi.Operation]bool
	// making are channels that are closed once somebody has made the values, or has
	// failed to.
	making map[*openapi.Operation]chan struct{}
}

func newShared() *shared {
	return &shared{values: map[*openapi.Operation]map[string]*jsontree.Value{}, by: map[*openapi.Operation][]SetUp{}, own: map[*openapi.Operation]bool{},
		making: map[*openapi.Operation]chan struct{}{}}
}

// of returns the values of an operation, or nil.
func (k *shared) of(op *openapi.Operation) map[string]*jsontree.Value {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.values[op]
}

// reserve returns the values of an operation. If there are none, the caller makes them and
// then calls keep, with nil if that failed. Whoever comes meanwhile waits once: what
// one could not make, the others try without waiting for each other. Without values and
// keep, the request needs values of its own, or the run ended.
//
// Whoever makes values reserves no others, so that nobody waits in a circle.
func (k *shared) reserve(ctx context.Context, op *openapi.Operation) (values map[string]*jsontree.Value, keep func(map[string]*jsontree.Value)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if made := k.making[op]; made != nil {
		k.mu.Unlock()
		select {
		case <-made:
		case <-ctx.Done():
		}
		k.mu.Lock()
	}
	switch {
	case k.own[op] || ctx.Err() != nil:
		return nil, nil
	case k.values[op] != nil:
		return k.values[op], nil
	}
	made := make(chan struct{})
	k.making[op] = made
	return nil, func(got map[string]*jsontree.Value) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if got != nil && !k.own[op] {
			k.values[op] = got
		}
		if k.making[op] == made {
			delete(k.making, op)
		}
		close(made)
	}
}

// forget drops the values of an operation.
func (k *shared) forget(op *openapi.Operation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.values, op)
}

// forgetAll drops the values of all operations.
func (k *shared) forgetAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.values)
}

// Unshare makes every later request of an operation get a resource of its own.
func (t *Target) Unshare(op *openapi.Operation) {
	k := t.shared
	k.mu.Lock()
	defer k.mu.Unlock()
	k.own[op] = true
	delete(k.values, op)
}

// Renewed makes the requests of an operation get another resource than the one that values name.
func (t *Target) Renewed(op *openapi.Operation, values map[string]*jsontree.Value) {
	k := t.shared
	k.mu.Lock()
	defer k.mu.Unlock()
	if maps.EqualFunc(k.values[op], values, jsontree.Equal) {
		delete(k.values, op)
	}
}

// noMoreTries is how many baseline requests a resource must refuse. One may be refused by chance,
// because its date is taken.
const noMoreTries = 3

// TakesNoMore reports whether baseline requests about the resources that values name are refused
// with the given status: then they refuse every request in this way, and not a single one.
func (t *Target) TakesNoMore(ctx context.Context, s Session, op *openapi.Operation, values map[string]*jsontree.Value, status int) bool {
	for range noMoreTries {
		e := t.Send(ctx, s, t.Baseline(t.Fresh(op)).Put(values), "control", "control")
		if e == nil || e.Failure != nil || e.Status() != status {
			return false
		}
	}
	return true
}

// NamesExample reports whether the requests of an operation are about a resource that others are about
// too: an example of the document names it.
func (t *Target) NamesExample(op *openapi.Operation) bool {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return false
	}
	return slices.ContainsFunc(op.Bind, func(path string) bool {
		w := r.Ways[path]
		if w.From != nil && w.Request != "" {
			if from := t.Facts.Of(w.From).Reached; from != nil {
				w = from.Ways[w.Request]
			}
		}
		return w.Kind == resource.Example
	})
}

// namesResource reports whether a request of an operation names a resource in its path or body.
func namesResource(op *openapi.Operation) bool {
	return slices.ContainsFunc(op.Bind, func(path string) bool { return !openapi.Scope(path) })
}

// Clears reports whether an operation may delete what other requests are about: it deletes a
// whole collection, or was seen to.
func (t *Target) Clears(op *openapi.Operation) bool {
	return clears(op) || t.Facts.Of(op.First()).Clears
}

// clears reports whether an operation deletes a whole collection: its path ends with none of the
// resources, and it names none.
func clears(op *openapi.Operation) bool {
	return op.Method == http.MethodDelete && !namesResource(op)
}

// unaccepted records why no baseline request was accepted: a failure, or a
// credential that the target does not know.
func (p *preflight) unaccepted(ctx context.Context) {
	t, e := p.t, p.last
	if f := e.Failure; f != nil && f.Unreached() {
		t.noConnection(f)
		return
	}
	if e.Failure == nil && p.ordered(ctx) {
		return
	}
	if e.Failure == nil && p.likeWrongToken(ctx, e) {
		p.facts.Unknown = true
		t.Because(fmt.Sprintf("credential not accepted: %s returns %d for this token, as for a wrong one: give a token that the target accepts", p.op.Slug, e.Status()))
		return
	}
	if Unauthorised(e.Status()) {
		documented := p.op.Response(e.Status()) != nil || p.op.Undefined || p.op.Demands() && p.op.Header != ""
		if documented || !p.op.Secured() {
			t.Because(fmt.Sprintf("%s returns %d to a valid request: %s", p.op.Slug, e.Status(), p.credential()))
		}
		if documented {
			return // whoever may not call it gets this answer
		}
	}
	if e.Status() == http.StatusNotFound {
		t.Because(fmt.Sprintf("no operation found at %s%s: --target is the base URL, without the path of an operation",
			t.Endpoint.Target, p.op.Path))
	}
	t.Hold(Opening{Op: p.op, Message: p.message, Exchange: e})
}

// misplaced ends the run if every operation that could be tried is answered with 404: the paths begin
// at another address, and these answers say nothing about the service.
func (t *Target) misplaced() {
	paths := map[string]bool{}
	for _, op := range t.tried() {
		switch status := t.Facts.ops[op].Status; {
		case status == http.StatusNotFound:
			paths[op.Path] = true
		case status != 0 || len(op.Bind) == 0:
			return
		}
	}
	if len(paths) < 2 {
		return
	}
	servers := ""
	for i, s := range t.Contract.Servers() {
		switch i {
		case 0:
			servers = "; the document's servers are " + s.URL
		default:
			servers += ", " + s.URL
		}
	}
	t.Openings = nil
	t.Ended = fmt.Sprintf("every path below %s is answered with 404: give the base path too in --target, such as %s/api/v1%s", t.Endpoint.Target, t.Endpoint.Target, servers)
	t.Reasons = []string{t.Ended}
}

// noConnection records that no connection to the target came about.
func (t *Target) noConnection(f *exchange.Failure) {
	t.Because("the target cannot be reached: " + reached(f) + ": start it, or correct --target")
}

// ordered reports whether a refusal is due to the order of the header fields, and
// records it: the same request is accepted in another order, which has no meaning
// (RFC 9110, 5.3), and refused again in the usual one.
func (p *preflight) ordered(ctx context.Context) bool {
	if passing(p.last) {
		return false
	}
	usual := Opening{Op: p.op, Message: p.message, Exchange: p.last}
	for _, order := range message.Orders(p.op) {
		m := p.t.Fresh(p.op).Baseline()
		m.Order = order
		if !p.try(ctx, m) {
			continue
		}
		if again := p.t.Fresh(p.op).Baseline(); p.try(ctx, again) || p.last == nil || passing(p.last) {
			break
		}
		p.t.Because(fmt.Sprintf("%s is accepted with its header fields in another order (%s) and refused in the usual one", p.op.Slug, order))
		p.t.Hold(usual)
		return true
	}
	p.last, p.message = usual.Exchange, usual.Message
	return false
}

// reached describes how far a connection to the target got.
func reached(f *exchange.Failure) string {
	if f.Kind == exchange.TimedOut {
		return f.Error()
	}
	return f.Detail
}

// Unauthorised reports whether a status is about the credential of a request, or about its lack.
func Unauthorised(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusProxyAuthRequired
}

// credential says which credential an operation may want.
func (p *preflight) credential() string {
	if p.op.Header != "" {
		return "it refuses the credential in header " + p.op.Header + ": give another one"
	}
	if p.op.Undefined {
		return "it wants the credential that the document does not define: " + p.t.Asking
	}
	if len(p.op.Security) == 0 || len(p.op.Security[p.op.Chosen]) == 0 {
		return "it wants a credential that the document does not ask for: " + p.t.Asking
	}
	return "give a credential that may call it"
}

// unauthorised are the statuses with which servers refuse a credential.
var unauthorised = []int{400, 401, 403, 407}

// likeWrongToken reports whether a wrong token gets the same answer.
func (p *preflight) likeWrongToken(ctx context.Context, e *exchange.Exchange) bool {
	if !p.op.Demands() || !slices.Contains(unauthorised, e.Status()) {
		return false
	}
	if p.op.Header != "" {
		m := p.message.Clone()
		m.Fields = append(slices.Clone(m.Fields), exchange.Field{Name: p.op.Header, Value: p.t.Endpoint.WrongHeader(p.op.Header)})
		return p.sameRefusal(ctx, m, e)
	}
	for _, a := range p.t.Endpoint.Auth(p.op).Attempts() {
		// Take a well-formed wrong token: a malformed one may get another answer.
		if !strings.HasPrefix(a.Name, "wrong") || len(a.Presented) == 0 || a.Useful != nil && !a.Useful(p.t.Endpoint.Credential(a.Scheme)) {
			continue
		}
		m := p.message.Clone()
		m.Credentials = a.All()
		wire := p.t.Endpoint.Wire(m, "preflight")
		sent := p.t.Endpoint.Classify(m, wire)
		if sent.CredentialTransport || sent.Credential != message.CredentialToken {
			continue
		}
		return p.sameRefusal(ctx, m, e)
	}
	return false
}

// sameRefusal reports whether a message with a wrong credential is refused as that one was.
func (p *preflight) sameRefusal(ctx context.Context, m *message.Message, e *exchange.Exchange) bool {
	p.s.Fresh()
	got := p.t.Send(ctx, p.s, m, "preflight", "preflight")
	if got == nil || got.Failure != nil || got.Status() != e.Status() {
		return false
	}
	named := e.Status() == 401 || e.Status() == 403
	return named || bytes.Equal(got.Response.Content, e.Response.Content)
}

// Opening is a baseline request of the pre-flight and its answer.
type Opening struct {
	Op       *openapi.Operation
	Message  *message.Message
	Exchange *exchange.Exchange
	// AtOnce says that others which were sent at the same time were answered. What the request
	// gets alone says nothing then.
	AtOnce bool
}

// maxHeld is how many bytes of answers wait to be judged. There may be thousands
// of operations, and a case of the plan sends the same request.
const maxHeld = 8 << 20

// Hold keeps an exchange of the pre-flight until it is judged, unless its answer was still coming.
func (t *Target) Hold(o Opening) {
	if o.Exchange.Coming {
		return
	}
	size := 0
	if r := o.Exchange.Response; r != nil {
		size = len(r.Head) + len(r.Body) + len(r.Content)
	}
	if t.held += size; t.held <= maxHeld || len(t.Openings) == 0 {
		t.Openings = append(t.Openings, o)
	}
}

// renewals tells a credential that expired from one that was never right.
type renewals struct {
	mu       sync.Mutex
	accepted atomic.Bool // since the last renewal
}

// renewed reports whether a target refused a credential that it had accepted, and
// there is another one now. Of those refused at the same time, one renews it. A request
// that was sent again often enough takes the newest credential, but does not renew it.
func (t *Target) renewed(ctx context.Context, m *message.Message, e *exchange.Exchange, enough bool) bool {
	if t.Renew == nil || m.Other || e.Failure != nil || t.Endpoint.Auth(m.Op) == nil {
		return false
	}
	if e.Status()/100 == 2 && t.Endpoint.Classify(m, e.Request).Credential == message.CredentialValid {
		t.renewals.accepted.Store(true)
	}
	if e.Status() != http.StatusUnauthorized {
		return false
	}
	odd := false // it may be refused although it has not expired
	switch t.Endpoint.Classify(m, e.Request).Credential {
	case message.CredentialAbsent, message.CredentialScheme, message.CredentialToken:
		return false
	case message.CredentialUnclear:
		odd = true
	}
	if m.Behind {
		return true // it was sent before its turn came, with the credential of then
	}
	t.renewals.mu.Lock()
	defer t.renewals.mu.Unlock()
	if t.Endpoint.Keys.Number() != e.Request.Keys {
		return true
	}
	return !odd && !enough && t.renewals.accepted.Swap(false) && t.Renew(ctx)
}
