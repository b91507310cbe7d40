package judge

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rules"
)

// preflight learns what the judge must know before a case runs. It is false
// where running the cases would prove nothing: the failure or the reason is
// then in the outcome.
func (j *Judge) preflight(ctx context.Context, out *Outcome) bool {
	j.facts = Facts{Connections: 1, ops: map[*contract.Operation]*OpFacts{}}
	for _, op := range j.Contract.Operations {
		j.facts.ops[op] = &OpFacts{}
	}
	s := j.Client.Session()
	defer s.Close()
	settled := false
	for _, op := range j.Contract.Operations {
		p := opening{j: j, s: s, op: op, facts: j.facts.ops[op]}
		if p.accepted(ctx) {
			settled = true
			taken := openingExchange{op, p.message, p.last}
			p.renewed(ctx)
			p.repeats(ctx)
			j.openings = append(j.openings, taken)
			// Where values may be used twice, nothing excuses a first refusal.
			if r := p.refused; r != nil && len(p.facts.Needs) == 0 && !p.facts.unique() && !passing(r.e) {
				j.openings = append(j.openings, *r)
			}
			continue
		}
		if ctx.Err() != nil {
			return false
		}
		if p.last == nil {
			out.because("the target asks for patience (429, or 503 with Retry-After) and never takes a request")
			continue
		}
		p.unaccepted(ctx, out)
	}
	if settled {
		j.connections(ctx, s)
	}
	return settled
}

// opening is the pre-flight of one operation.
type opening struct {
	j     *Judge
	s     *exchange.Session
	op    *contract.Operation
	facts *OpFacts
	// last is the newest exchange and message.
	last    *exchange.Exchange
	message *plan.Message
	// refused is the first mild request, where it was not accepted.
	refused *openingExchange
}

// passing tells whether a refusal says nothing of the request: a server that is
// starting, busy or not there.
func passing(e *exchange.Exchange) bool {
	return e.Failure != nil || slices.Contains([]int{408, 429, 502, 503, 504}, e.Response.Status)
}

// try sends one message made from number n of an epoch.
func (p *opening) try(ctx context.Context, m *plan.Message) bool {
	p.last = p.j.send(ctx, p.s, m, "preflight", "preflight", "preflight")
	p.message = m
	return p.last != nil && p.last.Failure == nil && p.last.Response.Status/100 == 2
}

// accepted tries epochs, then mild requests with optional members.
func (p *opening) accepted(ctx context.Context) bool {
	start := p.j.facts.Epoch
	var first *exchange.Exchange
	var firstMessage *plan.Message
	for i := range epochTries {
		epoch := start
		if i > 0 {
			epoch += fibonacci(i + 1)
		}
		if epoch >= plan.Epochs || ctx.Err() != nil {
			break
		}
		id := plan.Identity{Seed: p.j.Seed, Epoch: epoch}
		if p.try(ctx, p.j.Plan.Preflight(p.op, id, 0).Mild()) {
			p.j.facts.Epoch, p.facts.Accepted = epoch, true
			return true
		}
		if first == nil && p.last != nil {
			first, firstMessage = p.last, p.message
			p.refused = &openingExchange{p.op, p.message, p.last}
		}
		if p.last == nil || p.last.Failure != nil && i >= 1 || p.last.Response != nil && !refusesRepeats(p.last.Response.Status) {
			break
		}
	}
	if first == nil || first.Failure != nil || p.op.Body == nil {
		p.last, p.message = first, firstMessage
		return false
	}
	if p.needs(ctx) {
		return true
	}
	p.last, p.message = first, firstMessage
	return false
}

// renewed moves to a later epoch where only the values of that one are accepted
// for optional members: an earlier run may have used all those of this one.
func (p *opening) renewed(ctx context.Context) {
	if p.op.Body == nil || len(p.facts.Needs) > 0 {
		return
	}
	start := p.j.facts.Epoch
	for i := range renewTries {
		epoch := start
		if i > 0 {
			epoch += fibonacci(i + 1)
		}
		if epoch >= plan.Epochs || ctx.Err() != nil {
			return
		}
		g := p.j.Plan.Preflight(p.op, plan.Identity{Seed: p.j.Seed, Epoch: epoch}, 40)
		m, all := g.Mild(), true
		if m.Tree == nil || m.Tree.Kind != jsontree.Object {
			return
		}
		for _, q := range p.op.Body.Shape.Schema.Properties {
			if !q.Required && !q.Schema.ReadOnly && m.Tree.Get(q.Name) == nil {
				m.Tree.Members, all = append(m.Tree.Members, jsontree.M(q.Name, g.MildValue(q.Schema))), false
			}
		}
		if all {
			return // there is no optional member
		}
		if taken := p.message; p.try(ctx, m) {
			p.j.facts.Epoch, p.message = epoch, taken
			return
		} else if p.message = taken; p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Response.Status) {
			return
		}
	}
}

// refusesRepeats tells whether a refusal may be due to a value used before.
func refusesRepeats(status int) bool {
	return status/100 == 4 && status != 401 && status != 403 && status != 404 && status != 405 && status != 429
}

// needs tries each optional member, then all.
func (p *opening) needs(ctx context.Context) bool {
	sc := p.op.Body.Shape.Schema
	var optional []*contract.Property
	for _, q := range sc.Properties {
		if !q.Required && !q.Schema.ReadOnly {
			optional = append(optional, q)
		}
	}
	sets := [][]*contract.Property{}
	for _, q := range optional {
		sets = append(sets, []*contract.Property{q})
	}
	if len(optional) > 1 {
		sets = append(sets, optional)
	}
	for i, set := range sets {
		g := p.j.Plan.Preflight(p.op, p.j.identity(0), 4+2*i)
		m := g.Mild()
		if m.Tree == nil || m.Tree.Kind != jsontree.Object {
			return false
		}
		needs := map[string]bool{}
		for _, q := range set {
			m.Tree.Members = append(m.Tree.Members, jsontree.M(q.Name, g.MildValue(q.Schema)))
			needs["/"+jsontree.EscapePointer(q.Name)] = true
		}
		if p.try(ctx, m) {
			with := openingExchange{p.op, p.message, p.last}
			p.facts.Accepted = true
			if !p.try(ctx, p.j.Plan.Preflight(p.op, p.j.identity(0), 20).Mild()) {
				p.facts.Needs = needs
				p.message, p.last = with.m, with.e
			}
			return true
		}
	}
	return false
}

// repeats learns whether a value may be used twice.
func (p *opening) repeats(ctx context.Context) {
	used := p.message
	if p.op.Body == nil {
		return
	}
	for i, old := range plan.Values(p.op, used.Tree) {
		g := p.j.Plan.Preflight(p.op, p.j.identity(0), 24+4*i)
		m := p.j.mild(g)
		m.Tree.Set(old.Name, old.Value.Clone())
		ok := p.try(ctx, m)
		r := Repeat{Path: "/" + jsontree.EscapePointer(old.Name)}
		if !ok && p.last != nil && p.last.Failure == nil {
			got := p.j.read(p.op, p.last)
			r.Status, r.Seen = got.Status, rules.Describe(nil, got)
			r.like = likenessOf(p.op, p.j.Endpoint.Classify(m, p.last.Request), got)
		}
		p.facts.Repeats = append(p.facts.Repeats, r)
	}
}

// unaccepted files why no mild request was accepted: a failure, or a credential
// that the target does not know.
func (p *opening) unaccepted(ctx context.Context, out *Outcome) {
	j, e := p.j, p.last
	if f := e.Failure; f != nil && (f.Kind == exchange.Unreachable || f.Kind == exchange.TLSFailed || f.Kind == exchange.Local) {
		out.because("the target cannot be reached: " + f.Detail + ": start it, or mend --target")
		return
	}
	if e.Failure == nil && p.likeWrongToken(ctx, e) {
		out.because(fmt.Sprintf("credential not accepted: %s answers the valid token as it answers a wrong one, %d: give a token that the target accepts", p.op.Slug, e.Response.Status))
		return
	}
	if e.Failure == nil && e.Response.Status == http.StatusNotFound {
		out.because(fmt.Sprintf("nothing is found at %s%s: --target is the base address, without the path of an operation",
			j.Endpoint.Target, p.op.Path))
	}
	j.openings = append(j.openings, openingExchange{p.op, p.message, e})
}

// unauthorised are the statuses that servers refuse a credential with.
var unauthorised = []int{400, 401, 403, 407}

// likeWrongToken tells whether a wrong token gets the very same answer.
func (p *opening) likeWrongToken(ctx context.Context, e *exchange.Exchange) bool {
	if p.op.Scheme == nil || p.op.SchemeOptional || !slices.Contains(unauthorised, e.Response.Status) {
		return false
	}
	sc := p.j.Endpoint.Scheme(p.op)
	for _, a := range sc.Attempts(p.op.Scheme) {
		// A wrong token of the usual form: malformed ones may be told apart.
		if !strings.HasPrefix(a.Name, "wrong") || len(a.Presented) == 0 || a.Useful != nil && !a.Useful(p.j.Endpoint.Token) {
			continue
		}
		m := p.message.Clone()
		m.Credentials = a.Presented
		wire := p.j.Endpoint.Wire(m, "preflight")
		sent := p.j.Endpoint.Classify(m, wire)
		if sent.CredentialTransport || sent.Credential != requirement.CredentialToken {
			continue
		}
		p.s.Fresh()
		got := p.j.send(ctx, p.s, m, "preflight", "preflight", "preflight")
		if got == nil || got.Failure != nil || got.Response.Status != e.Response.Status {
			return false
		}
		named := e.Response.Status == 401 || e.Response.Status == 403
		return named || bytes.Equal(got.Response.Content, e.Response.Content)
	}
	return false
}

// connections learns how many connections are served at once: every further one
// is opened while those before it are kept open and idle.
func (j *Judge) connections(ctx context.Context, first *exchange.Session) {
	op := j.acceptedOp()
	wait := max(capacityWait, capacityPatience*j.pace.median())
	wait = min(wait, j.Timeout)
	type reply struct{ ok bool }
	replies := make(chan reply, probed)
	sessions := []*exchange.Session{first}
	for i := 1; i < probed; i++ {
		s := j.Client.Session()
		sessions = append(sessions, s)
		m := j.mild(j.Plan.Preflight(op, j.identity(0), 48+i%16))
		go func() {
			e := s.Do(ctx, j.Endpoint.Wire(m, "preflight"), wait)
			j.sent.Add(1)
			replies <- reply{e.Failure == nil}
		}()
	}
	answered := 1
	for range len(sessions) - 1 {
		if r := <-replies; r.ok {
			answered++
		}
	}
	for _, s := range sessions {
		s.Close()
	}
	j.facts.Connections = answered
	if answered < probed {
		// What timed out may still occupy the target: see it answer again first.
		end := time.Now().Add(j.Timeout)
		for ctx.Err() == nil && time.Now().Before(end) {
			if _, ok := j.control(ctx, op); ok {
				return
			}
			pause(ctx, revivalPause)
		}
	}
}

func (j *Judge) acceptedOp() *contract.Operation {
	for _, op := range j.Contract.Operations {
		if j.facts.ops[op].Accepted {
			return op
		}
	}
	return j.Contract.Operations[0]
}

func fibonacci(n int) int {
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}

// openingExchange is a mild request that opened the run, and what came of it.
type openingExchange struct {
	op *contract.Operation
	m  *plan.Message
	e  *exchange.Exchange
}

// judgeOpening files what a mild request of the pre-flight came to, beside what
// comes of the first such case.
func (j *Judge) judgeOpening(o openingExchange) {
	for _, c := range j.Cases {
		if c.Op != o.op || c.Class.Claim != plan.ClaimPlain {
			continue
		}
		p := played{step: plan.Step{Message: o.m}, owner: "preflight", ex: o.e, sent: j.Endpoint.Classify(o.m, o.e.Request), got: j.read(o.op, o.e)}
		r := &record{state: tried, passed: newBits(len(j.bound)), masked: newBits(len(j.bound))}
		j.judge(c, j.identity(0), []played{p}, r)
		if old := j.records[c]; old != nil && old.state == tried {
			r.failures = append(r.failures, old.failures...)
			r.passed.add(old.passed)
			r.masked.add(old.masked)
			r.observed, r.weak = append(r.observed, old.observed...), append(r.weak, old.weak...)
		}
		j.records[c] = r
		return
	}
	if !j.settled {
		j.out.because("no mild request was accepted")
	}
}
