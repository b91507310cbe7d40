package explore

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// preflight explores one operation.
type preflight struct {
	t     *Target
	s     Session
	op    *openapi.Operation
	facts *OpFacts
	// last is the newest exchange and message.
	last    *exchange.Exchange
	message *message.Message
	// refused is the first baseline request, if it was not accepted.
	refused *Opening
	why     string // no way to a value was found
	// vain are the ways that led to no value when they were tried last, by path.
	vain map[string][]string
	// without was asked for a value, and its answer had none.
	without *openapi.Operation
	// cut reports whether the end of its turn left something out, and left is what is asked after it.
	cut  bool
	left []func(context.Context)
	// lastResort is set once nothing that makes a resource has helped: the operation may then change
	// one that an example of the document names.
	lastResort bool
}

// passing reports whether a failure or refusal is temporary and says nothing about
// the request: the server is starting, busy or away.
func passing(e *exchange.Exchange) bool {
	return e.Failure != nil || slices.Contains([]int{408, 429, 502, 503, 504}, e.Status())
}

// Accepted reports whether an exchange accepts a valid request of the operation.
func Accepted(op *openapi.Operation, e *exchange.Exchange) bool {
	return (e.Success() || e != nil && e.Failure == nil && op.Accepts(e.Status())) && !told(op, e)
}

// told reports whether the body of an answer tells that the request is refused.
func told(op *openapi.Operation, e *exchange.Exchange) bool {
	if !op.OnlySuccesses() || len(e.Response.Content) > madeAnswer {
		return false
	}
	doc, err := jsontree.Parse(e.Response.Content)
	return err == nil && op.Tells(doc.Root)
}

// try sends one message and reports whether it is a success.
func (p *preflight) try(ctx context.Context, m *message.Message) bool {
	p.last, p.message = nil, m
	if p.t.Bind(ctx, p.s, m) == nil {
		p.last = p.t.Send(ctx, p.s, m, "preflight", "preflight")
	}
	return Accepted(p.op, p.last)
}

// accepted tries one dataset generation after the other, then baseline requests
// with optional members. It reports whether a request was accepted.
func (p *preflight) accepted(ctx context.Context) bool {
	if len(p.op.Bind) > 0 && p.t.Reach != nil && !p.chooses() {
		return p.reached(ctx)
	}
	if !p.acceptedAt(ctx) {
		p.facts.Reached = nil
		return false
	}
	p.keepsChosen(ctx)
	return true
}

// acceptedAt is accepted for an operation that nothing has to be made for.
func (p *preflight) acceptedAt(ctx context.Context) bool {
	start := p.t.Facts.Generation
	for i := range limits.GenerationTries {
		generation := laterGeneration(start, i)
		if generation >= plan.Generations || ctx.Err() != nil || i > 0 && p.over() {
			break
		}
		if p.try(ctx, p.t.Plan.Opening(p.op, p.t.Facts.identityIn(generation)).Baseline()) {
			p.t.Facts.Generation, p.facts.Accepted = generation, true
			return true
		}
		if p.refused == nil && p.last != nil {
			p.refused = &Opening{Op: p.op, Message: p.message, Exchange: p.last}
		}
		if p.last == nil || p.last.Failure != nil && i >= 1 || p.last.Response != nil && !refusesRepeats(p.last.Response.Status) {
			break
		}
	}
	r := p.refused
	if r == nil {
		p.last, p.message = nil, nil
		return false
	}
	if r.Exchange.Failure == nil && p.needs(ctx) {
		p.choosesFree(ctx)
		return true
	}
	p.last, p.message = r.Exchange, r.Message
	return false
}

// readEmpty sends a first request of each operation that only reads, needs nothing, and has its turn after
// one that may make something: a server can break where nothing is there yet. It keeps successes and
// crashes for judging; any other answer says nothing, because the operation is asked again.
func (t *Target) readEmpty(ctx context.Context, s Session, list []*openapi.Operation) {
	noted := t.broken.noted()
	first := slices.IndexFunc(list, func(op *openapi.Operation) bool { return !reads(op) })
	if first < 0 {
		return
	}
	for _, op := range list[first:] {
		if !reads(op) || len(op.Bind) > 0 || t.Aside[op.First()] || ctx.Err() != nil {
			continue
		}
		m := t.Plan.Opening(op, t.Facts.identityIn(t.Facts.Generation)).Baseline()
		e := t.Send(ctx, s, m, "preflight", "preflight")
		if e == nil || e.Failure != nil {
			t.broken.forget(noted) // the operation itself is asked later
			return
		}
		if Accepted(op, e) {
			t.Hold(Opening{Op: op, Message: m, Exchange: e})
		}
		noted = t.broken.noted()
	}
}

// laterGeneration returns the nth generation to try. The steps grow, because
// earlier runs may have used many.
func laterGeneration(start, n int) int {
	if n == 0 {
		return start
	}
	return start + fibonacci(n+1)
}

// renewed moves to a later generation if only the values of that one are accepted
// for optional members: earlier runs may have used all values of this one.
func (p *preflight) renewed(ctx context.Context) {
	if p.op.Body == nil && p.op.Params == nil || len(p.facts.Needs) > 0 {
		return
	}
	start := p.t.Facts.Generation
	for i := range limits.RenewTries {
		generation := laterGeneration(start, i)
		if generation >= plan.Generations || ctx.Err() != nil {
			return
		}
		g := p.t.FreshAs(p.op, p.t.Facts.identityIn(generation))
		m := g.Baseline()
		if !g.Give(m, p.op.Optional()) {
			return
		}
		if p.try(ctx, m) {
			p.t.Facts.Generation = generation
			return
		}
		if p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Status()) {
			return
		}
	}
	p.refuses(ctx)
}

// refusesRepeats reports whether a refusal with this status may be due to a value
// that was used before.
func refusesRepeats(status int) bool {
	return status/100 == 4 && status != 401 && status != 403 && status != 404 && status != 405 && status != 429
}

// full reports whether the last refusal was because the resource that requests share takes no more.
// Later requests get another resource.
func (p *preflight) full(ctx context.Context) bool {
	r, e := p.facts.Reached, p.last
	if r == nil || r.Own || e == nil || e.Failure != nil || p.op.Response(e.Status()) == nil ||
		!p.t.TakesNoMore(ctx, p.s, p.op, p.message.Bound, e.Status()) {
		return false
	}
	p.t.shared.forget(p.op)
	return true
}

// repeats finds out whether the values of an accepted message may be sent again.
func (p *preflight) repeats(ctx context.Context, used *message.Message) {
	given := p.t.Facts.given.Of(p.op)
	for _, old := range identities(p.op, used) {
		if _, always := given[old.path]; always {
			continue // each request has it
		}
		g := p.t.Fresh(p.op)
		m := p.t.Baseline(g)
		m.Set(old.path, old.value.Clone())
		ok := p.try(ctx, m)
		if !ok && p.full(ctx) || ok && old.refused {
			continue
		}
		r := Repeat{Path: old.path}
		if !ok && p.last != nil && p.last.Failure == nil {
			got := requirement.Read(p.op, p.last)
			r.Status, r.Seen = got.Status, got.String()
			r.form = FormOf(p.op, p.t.Endpoint.Classify(m, p.last.Request), got)
		}
		p.facts.Repeats = append(p.facts.Repeats, r)
	}
}

// SecondPrincipal says why the target is not known to accept the other principal in requests of
// an operation. It is empty if it is.
func (f *Facts) SecondPrincipal(op *openapi.Operation) string {
	for _, scheme := range ofOther(op) {
		if why := f.secondPrincipals[scheme]; why != "" {
			return why
		}
	}
	return ""
}

// ofOther names the schemes of which an operation gets the credential of the other
// principal.
func ofOther(op *openapi.Operation) []string {
	var out []string
	if op.HasOther() {
		for _, s := range op.Security[op.Chosen] {
			if s.Other {
				out = append(out, s.Name)
			}
		}
	}
	return out
}

// meetOther finds out whether the target accepts the credentials of the other principal:
// if not, that it refuses a request says nothing. Requests about no thing come first,
// because one of somebody else may be refused, and those that change nothing.
func (t *Target) meetOther(ctx context.Context, s Session) {
	t.Facts.secondPrincipals = map[string]string{}
	ops := slices.DeleteFunc(t.tried(), func(op *openapi.Operation) bool { return !op.HasOther() || !t.Facts.Of(op).Accepted })
	slices.SortStableFunc(ops, func(a, b *openapi.Operation) int { return cmp.Compare(harm(a), harm(b)) })
	met := map[string]bool{}
	for _, op := range ops {
		schemes := ofOther(op)
		if ctx.Err() != nil || !slices.ContainsFunc(schemes, func(name string) bool { return !met[name] }) {
			continue
		}
		why := "the other credential is not accepted: no operation shows whether it is"
		if harm(op) < harmful {
			m := t.Baseline(t.Fresh(op))
			if t.Bind(ctx, s, m) == nil {
				m.Other = true
				why = t.meets(ctx, s, m, why)
			}
		}
		for _, name := range schemes {
			switch {
			case why == "":
				met[name], t.Facts.secondPrincipals[name] = true, ""
			case !met[name] && t.Facts.secondPrincipals[name] == "":
				t.Facts.secondPrincipals[name] = why
			}
		}
	}
	for _, op := range ops {
		if why := t.Facts.SecondPrincipal(op); why != "" && ctx.Err() == nil {
			t.Because(why)
		}
	}
}

// harmful is the harm of a request that is not sent as the other principal to meet it.
const harmful = 3

// harm orders requests by what they may do to resources.
func harm(op *openapi.Operation) int {
	reads, about := op.Method == http.MethodGet, namesResource(op)
	switch {
	case reads && !about:
		return 0
	case reads:
		return 2
	case about || clears(op):
		return harmful
	}
	return 1
}

// meets sends a message of the other principal and returns an empty text if the target
// knows that one. If the message is about a resource of somebody else, it may be refused, but
// not like a wrong credential. Without an answer the given reason stays.
func (t *Target) meets(ctx context.Context, s Session, m *message.Message, why string) string {
	e := t.Send(ctx, s, m, "preflight", "preflight")
	switch {
	case e == nil || e.Failure != nil:
		return why
	case Accepted(m.Op, e) || len(m.Bound) > 0 && t.hides(ctx, s, m, e):
		return ""
	}
	return fmt.Sprintf("the other credential is not accepted: %s returns %d for it: give one with --auth-other that the target accepts", m.Op.Name(), e.Status())
}

// hides reports whether the target refuses a request because of what it is about.
func (t *Target) hides(ctx context.Context, s Session, m *message.Message, e *exchange.Exchange) bool {
	p := &preflight{t: t, s: s, op: m.Op, message: m, facts: t.Facts.Of(m.Op)}
	return (e.Status() == http.StatusForbidden || e.Status() == http.StatusNotFound) && !p.likeWrongToken(ctx, e)
}

// AcceptedOp returns an operation whose baseline request is accepted, if possible
// one that needs nothing.
func (t *Target) AcceptedOp() *openapi.Operation {
	ops := t.tried()
	best := ops[0]
	cost := func(op *openapi.Operation) int {
		n := t.lateness(op) * 2
		if len(op.Bind) > 0 {
			n++
		}
		if !t.Facts.ops[op].Accepted {
			n = 1000
		}
		return n
	}
	for _, op := range ops {
		if cost(op) < cost(best) {
			best = op
		}
	}
	return best
}

func fibonacci(n int) int {
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}
