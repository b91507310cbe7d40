package judge

import (
	"context"
	"sync/atomic"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/parallel"
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
	for i, op := range j.Contract.Operations {
		p := opening{j: j, s: s, op: op, facts: j.facts.ops[op]}
		if p.accepted(ctx) {
			settled = true
			taken := openingExchange{op, p.message, p.last}
			p.renewed(ctx)
			p.repeats(ctx, taken.m)
			p.earlier(ctx)
			j.hold(taken)
			// Where values may be used twice, and whole requests sent twice, nothing
			// excuses a first refusal.
			if r := p.refused; r != nil && len(p.facts.Needs) == 0 && !p.facts.unique() && !passing(r.e) && p.try(ctx, taken.m) {
				j.hold(*r)
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
		if j.Client.HTTP2Alone(ctx, p.last.Failure) {
			out.because("the target speaks HTTP/2 alone, and this suite HTTP/1.1: let it offer http/1.1 too, or put a proxy before it that does")
			return false
		}
		if i == 0 {
			if why := j.otherScheme(ctx, p.last); why != "" {
				out.because(why)
				return false
			}
		}
		p.unaccepted(ctx, out)
	}
	if settled {
		j.connections(ctx, s)
	}
	return settled
}

// connections learns how many connections are served at once: every further one
// is opened while those before it are kept open and idle.
func (j *Judge) connections(ctx context.Context, first *exchange.Session) {
	op := j.acceptedOp()
	wait := max(capacityWait, capacityPatience*j.pace.median())
	wait = min(wait, j.Timeout)
	var probes parallel.Group
	var answers atomic.Int64
	turned := make([]bool, probed)
	sessions := []*exchange.Session{first}
	asked, giveUp := context.WithCancel(ctx)
	defer giveUp()
	all := make(chan struct{})
	var left atomic.Int64
	left.Store(probed - 1)
	for i := 1; i < probed; i++ {
		s := j.Client.Session()
		sessions = append(sessions, s)
		m := j.mild(j.Plan.Preflight(op, j.identity(0), 48+i%16))
		probes.Go(func() {
			defer func() {
				if left.Add(-1) == 0 {
					close(all)
				}
			}()
			e := s.Do(asked, j.Endpoint.Wire(m, "preflight"), j.Timeout)
			j.sent.Add(1)
			switch {
			case throttled(e):
				turned[i] = true
			case e.Failure == nil:
				answers.Add(1)
			}
		})
	}
	j.witness(ctx, op, first, all, wait)
	giveUp()
	probes.Wait()
	answered := 1 + int(answers.Load()) + j.turnedAway(ctx, op, sessions, turned, wait)
	for _, s := range sessions {
		s.Close()
	}
	j.facts.Connections, j.facts.Few = answered, answered < probed
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
