package explore

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// Learn runs the pre-flight: it finds out what must be known before a case runs. It
// returns false if running the cases would prove nothing. The exchange that shows
// why is then in Openings, or the reason in Reasons.
func (t *Target) Learn(ctx context.Context) bool { return t.learn(ctx, ctx, ctx) }

// learn is Learn. Until once ends, operations get their first requests, and until asking ends they are
// explored. What takes longer than the turn of an operation waits until all others had theirs.
func (t *Target) learn(ctx, once, asking context.Context) bool {
	*t.Facts = Facts{Seed: t.Seed, Connections: 1, today: time.Now().UTC(), ops: map[*openapi.Operation]*OpFacts{}}
	for _, op := range t.Contract.Rows() {
		t.Facts.ops[op] = &OpFacts{}
	}
	s := t.Client.Session()
	defer s.Close()
	defer func() { t.turn = time.Time{} }()
	settled, first := false, true
	var again, cut []*preflight
	ask := func(p *preflight, until context.Context) (goesOn bool) {
		op := p.op
		switch accepted := p.inTime(until, p.accepted(until)); {
		case accepted && !p.harmless(ctx):
			return false
		case accepted && t.Aside[op.First()]: // it only gives what others need
		case accepted:
			settled = true
			p.learned(ctx)
		case cancelled(ctx):
			settled = false
			return false
		case !first && len(op.Bind) == 0 && p.cut && p.last != nil && p.last.Failure == nil:
			cut = append(cut, p)
		case until.Err() != nil && (!first || p.last == nil), len(op.Bind) > 0, p.plausible():
			again = append(again, p)
		case t.Aside[op.First()]:
		default:
			p.facts.refusal(p.last)
			if !p.explained(ctx, first) {
				return false
			}
		}
		first = first && t.Aside[op.First()]
		return true
	}
	t.later = nil
	list, round := t.lateLast(t.makersFirst(inReachOrder(append(t.tried(), t.helpers()...)))), halfway(asking)
	t.readEmpty(once, s, list)
	for i, op := range list {
		if once.Err() != nil {
			break
		}
		t.turn = turn(round, len(list)-i)
		t.MakeRoom(ctx, s)
		if !ask(&preflight{t: t, s: s, op: op, facts: t.Facts.ops[op]}, once) {
			return t.gone && settled
		}
	}
	if cancelled(ctx) {
		return false
	}
	t.learnLater(ctx, asking)
	for _, p := range cut {
		if p.endless(); !ask(p, asking) {
			return t.gone && settled
		}
	}
	settled = t.tryAgain(ctx, asking, again) || settled
	t.learnLater(ctx, asking)
	if asking.Err() == nil && t.Ended == "" && !t.gone && t.Harmed(ctx, nil, func() {}) != nil && t.Ended == "" {
		// What was refused meanwhile has another reason now.
		settled = t.tryAgain(ctx, asking, slices.DeleteFunc(again, func(p *preflight) bool { return p.facts.Accepted })) || settled
		t.learnLater(ctx, asking)
	}
	if t.Ended != "" || t.gone {
		return t.gone && settled
	}
	if asking.Err() != nil && !cancelled(ctx) {
		t.outOfTime(again)
	}
	if t.turn = (time.Time{}); settled {
		t.connections(ctx, s)
		t.meetOther(ctx, s)
	} else if asking.Err() == nil {
		t.misplaced()
	}
	return settled
}

// tried returns the operations that are tried.
func (t *Target) tried() []*openapi.Operation {
	return slices.DeleteFunc(t.Contract.Rows(), func(op *openapi.Operation) bool { return t.Aside[op.First()] })
}

// helpers returns operations that are not tried, but may give what others need.
func (t *Target) helpers() []*openapi.Operation {
	var out []*openapi.Operation
	if len(t.Aside) == 0 || t.Reach == nil {
		return nil
	}
	seen := map[*openapi.Operation]bool{}
	for list := t.tried(); len(list) > 0; list = list[1:] {
		for _, n := range t.Reach.Of(list[0]) {
			for _, w := range n.Dependencies {
				if w.From != nil && t.Aside[w.From.First()] && !t.Unasked[w.From.First()] && !seen[w.From] {
					seen[w.From] = true
					out, list = append(out, w.From), append(list, w.From)
				}
			}
		}
	}
	return out
}

// learned explores an operation whose baseline request was accepted, but later if its turn is over.
func (p *preflight) learned(ctx context.Context) {
	if p.over() {
		p.t.later = append(p.t.later, p)
		return
	}
	for _, learn := range p.left {
		learn(ctx)
	}
	taken := Opening{Op: p.op, Message: p.message, Exchange: p.last}
	p.draw()
	p.renewed(ctx)
	p.repeats(ctx, taken.Message)
	p.earlier(ctx)
	p.t.Hold(taken)
	// If values and whole requests may be repeated, a used value cannot explain the
	// first refusal.
	if r := p.refused; r != nil && len(p.op.Bind) == 0 && len(p.facts.Needs) == 0 && !p.facts.Unique() && !passing(r.Exchange) && p.try(ctx, taken.Message) {
		p.t.Hold(*r)
	}
}

// explained records why no baseline request was accepted. It returns false if no
// other operation needs to be tried.
func (p *preflight) explained(ctx context.Context, first bool) bool {
	t := p.t
	if p.last == nil {
		t.Because("the target answers every request with 429, or 503 with Retry-After")
		return true
	}
	// Where the target speaks another protocol, a dropped connection says nothing about the contract.
	if t.Client.HTTP2Alone(ctx, p.last.Failure) {
		t.broken.forget(0)
		t.Because("the target speaks only HTTP/2, and this suite only HTTP/1.1: enable HTTP/1.1 in the target, or use a proxy that speaks it")
		return false
	}
	if first {
		if why := t.otherScheme(ctx, p.last); why != "" {
			t.broken.forget(0)
			t.Because(why)
			return false
		}
	}
	p.unaccepted(ctx)
	f := p.last.Failure
	return !first || f == nil || !f.Unreached() // nothing else is there either
}

// connections finds out how many concurrent connections are served: it opens one
// after the other and keeps them open and idle.
func (t *Target) connections(ctx context.Context, first Session) {
	op := t.AcceptedOp()
	wait := max(limits.CapacityWait, limits.CapacityTimeout*t.pace.Median())
	wait = min(wait, t.Timeout)
	var probes parallel.Group
	var answers atomic.Int64
	turned := make([]bool, limits.Probed)
	got := make([]atomic.Pointer[exchange.Exchange], limits.Probed)
	sent := make([]*message.Message, limits.Probed)
	sessions := []Session{first}
	asked, giveUp := context.WithCancel(ctx)
	defer giveUp()
	all := make(chan struct{})
	var left atomic.Int64
	left.Store(limits.Probed - 1)
	for i := 1; i < limits.Probed; i++ {
		s := t.Client.Session()
		sessions = append(sessions, s)
		m := t.Baseline(t.Fresh(op))
		sent[i] = m
		probes.Go(func() {
			defer func() {
				if left.Add(-1) == 0 {
					close(all)
				}
			}()
			e := t.sendNow(asked, s, m, "preflight", t.Timeout)
			got[i].Store(e)
			switch {
			case client.Throttled(e):
				turned[i] = true
			case e.Failure == nil:
				answers.Add(1)
			}
		})
	}
	began := time.Now()
	t.watchServed(ctx, op, first, all, wait)
	took := time.Since(began)
	served := int(answers.Load())
	if left.Load() > 0 && served+int(left.Load()) == limits.Probed-1 {
		for i := 1; i < limits.Probed; i++ {
			if got[i].Load() != nil {
				sessions[i].Close() // a server of few connections now has room
			}
		}
		if t.AnswersBeside(ctx, op, all) {
			for i := 1; i < limits.Probed; i++ {
				if e := got[i].Load(); e != nil && e.Failure != nil && e.Failure.Kind == exchange.TimedOut && len(e.Received) == 0 && ctx.Err() == nil {
					t.broken.lost(sent[i], e)
				}
			}
		}
	}
	giveUp()
	probes.Wait()
	answered := 1 + served + t.turnedAway(ctx, op, sessions, turned, wait)
	late := t.lateAnswers(took)
	if answered == limits.Probed && !late {
		t.Facts.Spare = t.spare(ctx, op, sessions)
	}
	for _, s := range sessions {
		s.Close()
	}
	if answered == limits.Probed && late {
		answered = t.servedBeside(ctx, op)
	}
	t.Facts.Connections, t.Facts.Few, t.Facts.Probed = answered, answered < limits.Probed, true
	if answered < limits.Probed {
		t.awaitAnswer(ctx, op)
	}
}

// AnswersBeside waits for the rest of the answers and reports whether the target answered
// many other requests meanwhile, each on a connection of its own, the others closed.
func (t *Target) AnswersBeside(ctx context.Context, op *openapi.Operation, all <-chan struct{}) bool {
	beside := 0
	for ctx.Err() == nil {
		select {
		case <-all:
			_, scenarios := t.Control(ctx, op)
			return scenarios && beside >= limits.ServedAnswers
		default:
		}
		if beside < limits.ServedAnswers {
			if _, ok := t.Control(ctx, op); ok {
				beside++
				continue
			}
		}
		client.Pause(ctx, limits.RevivalPause)
	}
	return false
}

// awaitAnswer waits until the target answers again: a request that timed out may
// still occupy it.
func (t *Target) awaitAnswer(ctx context.Context, op *openapi.Operation) {
	defer t.Waits.For("waiting for the server to answer again")()
	for end := time.Now().Add(t.Timeout); ctx.Err() == nil && time.Now().Before(end); {
		if _, ok := t.Control(ctx, op); ok {
			return
		}
		client.Pause(ctx, limits.RevivalPause)
	}
}

// prepared looks for an operation that has to come first because it changes what the body of
// this one names: an account gets money before some of it is transferred.
func (p *preflight) prepared(ctx context.Context) bool {
	dependencies, makes := p.ownWays()
	if !makes {
		return false
	}
	var chains [][]*openapi.Operation
	for _, op := range p.t.Contract.Operations {
		if p.prepares(op, dependencies) {
			chains = append(chains, p.t.chain(op))
		}
	}
	return p.behind(ctx, dependencies, chains)
}

// filled is prepared, if the refusal may be about a state: an empty cart cannot be ordered.
func (p *preflight) filled(ctx context.Context) bool {
	return p.op.Conflict(p.refused.Exchange.Status()) && p.prepared(ctx)
}

// prepares reports whether an accepted operation changes a resource that the body of this one
// names: both get it from the same operation. Its body may name others.
func (p *preflight) prepares(op *openapi.Operation, dependencies map[string]resource.Dependency) bool {
	reads := op.Method == http.MethodGet || op.Method == http.MethodHead
	if op == p.op.First() || op.Method == http.MethodDelete || reads || !p.t.Facts.Of(op).Accepted {
		return false
	}
	needs := 0
	for _, n := range p.t.Reach.Of(op) {
		same := len(p.t.named(op, n.Path, dependencies)) > 0
		switch {
		case n.Optional:
		case same:
			needs++
		case strings.HasPrefix(n.Path, "path/"):
			return false
		}
	}
	return needs > 0
}

// supplied looks for an operation that must come first when the one that should give a value is
// accepted but gives none: a worker gets a job only once there is one.
func (p *preflight) supplied(ctx context.Context) bool {
	if p.without == nil || p.without.First() == p.op.First() {
		return false
	}
	maker := &preflight{t: p.t, op: p.without.First(), facts: p.t.Facts.Of(p.without.First())}
	first := maker.facts.Reached
	if !maker.facts.Accepted || first == nil || len(first.Before) > 0 {
		return false
	}
	for _, chain := range maker.chains() {
		behind := *first
		behind.Before, behind.Own = chain, true
		maker.facts.Reached = &behind
		if p.reached(ctx) {
			return true
		}
	}
	maker.facts.Reached = first
	return false
}

// named lists the places whose value comes from the same part of the same operation's answer as
// the one that an operation needs at a place of its own: both name a resource of one kind.
func (t *Target) named(op *openapi.Operation, place string, dependencies map[string]resource.Dependency) []string {
	r := t.Facts.Of(op).Reached
	if r == nil {
		return nil
	}
	w := r.Ways[place]
	same := func(other resource.Dependency) bool {
		return w.Makes() && other.Makes() && w.From.First() == other.From.First() && w.Pointer == other.Pointer && w.Header == other.Header && w.Request == other.Request
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(dependencies)), func(path string) bool { return !same(dependencies[path]) })
}

// eachBefore returns the values of each request that comes before a message: one about the resource
// that the path of the message names, or one about each thing that its body names.
func (t *Target) eachBefore(op *openapi.Operation, r *Reached, m *message.Message) []map[string]*jsontree.Value {
	out := []map[string]*jsontree.Value{m.Bound}
	for _, n := range t.Reach.Of(op) {
		if n.Optional || m.Bound[n.Path] != nil || !strings.HasPrefix(n.Path, "path/") {
			continue
		}
		places := t.named(op, n.Path, r.Ways)
		var each []map[string]*jsontree.Value
		for _, values := range out {
			for _, place := range places {
				if v := m.Bound[place]; v != nil {
					one := maps.Clone(values)
					one[n.Path] = fit(op, n.Path, v.Clone())
					each = append(each, one)
				}
			}
		}
		out = each
	}
	return out
}
