package judge

import (
	"context"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// shrinker makes a failing case smaller while it fails in the same way and the
// bytes keep what they are. Every candidate is a request, so there is a budget.
type shrinker struct {
	j      *Judge
	ctx    context.Context
	c      *plan.Case
	own    *exchange.Session
	best   failure
	any    bool // any requirement of the same rank will do: defects are being told apart
	left   int
	end    time.Time // zero for none
	silent int       // requests that got no answer in time
	filled bool      // the budget was spent
}

func (j *Judge) newShrinker(ctx context.Context, c *plan.Case, f *failure) *shrinker {
	return &shrinker{j: j, ctx: ctx, c: c, own: j.Client.Session(), best: *f, left: shrinkRequests}
}

// within bounds the time too: how small an example gets may depend on it, and
// nothing else.
func (s *shrinker) within(d, all time.Duration) {
	s.end = time.Now().Add(d)
	if s.j.shrinkEnd.IsZero() {
		s.j.shrinkEnd = time.Now().Add(all)
	}
	if s.end.After(s.j.shrinkEnd) {
		s.end = s.j.shrinkEnd
	}
}

// settle shrinks a request with several defects and gives the requirement that
// the smallest one breaks. Requests are counted there and not seconds: which
// requirement fails is a verdict.
func (j *Judge) settle(ctx context.Context, c *plan.Case, f *failure) (int, bool) {
	s := j.newShrinker(ctx, c, f)
	defer s.own.Close()
	s.any = true
	s.run()
	return s.best.at, true
}

// run shrinks until nothing smaller fails; it tells whether that was reached.
func (s *shrinker) run() bool {
	if s.hopeless() {
		return false
	}
	if len(s.best.steps) > 1 {
		s.steps()
		return !s.filled
	}
	for s.message() {
	}
	return !s.filled
}

// hopeless tells whether every try costs a whole time-out.
func (s *shrinker) hopeless() bool {
	f := s.best.steps[len(s.best.steps)-1].ex.Failure
	return f != nil && f.Kind == exchange.TimedOut
}

// steps leaves out one step after another.
func (s *shrinker) steps() {
	for again := true; again; {
		again = false
		steps := stepsOf(s.best.steps)
		// Large pieces first: sequences can be hundreds of requests long.
		for size := (len(steps) - 1) / 2; size >= 1 && !again; size /= 2 {
			for from := 0; from+size < len(steps) && !again; from += size {
				shorter := append(append([]plan.Step(nil), steps[:from]...), steps[from+size:]...)
				again = s.fails(shorter)
			}
		}
	}
}

func stepsOf(list []played) []plan.Step {
	out := make([]plan.Step, len(list))
	for i := range list {
		out[i] = list[i].step
	}
	return out
}

// message tries every smaller request once; it is true where one still failed
// and became the best.
func (s *shrinker) message() bool {
	step := s.best.steps[0].step
	for m := range candidates(step.Message, s.mild()) {
		if s.spent() {
			s.filled = true
			return false
		}
		next := step
		next.Message = m
		if s.fails([]plan.Step{next}) {
			return true
		}
	}
	return false
}

func (s *shrinker) mild() *request.Message {
	m := s.j.Plan.Preflight(s.c.Op, s.best.identity, 2).Mild()
	return m
}

func (s *shrinker) spent() bool {
	late := !s.end.IsZero() && time.Now().After(s.end)
	return late || s.left <= 0 || s.silent >= shrinkSilent || s.ctx.Err() != nil || s.j.lost.Load()
}

// fails sends a candidate that is what the best is, and takes it where it fails
// the same requirement in the same way.
func (s *shrinker) fails(steps []plan.Step) bool {
	if s.spent() {
		s.filled = true
		return false
	}
	last := steps[len(steps)-1].Message
	was := s.best.steps[len(s.best.steps)-1].sent
	if s.j.facts.of(s.c.Op).unique() && len(steps) == 1 {
		last = s.refreshed(last)
		steps[0].Message = last
	}
	now := s.j.Endpoint.Classify(last, s.j.Endpoint.Wire(last, s.c.ID))
	if !alike(was, now) || len(steps) == 1 && size(last, now) >= size(s.best.steps[0].step.Message, was) {
		return false
	}
	s.left--
	s.own.Fresh()
	r := s.j.insist(s.ctx, s.c, s.best.identity, steps, s.own, 1)
	if r == nil {
		return false
	}
	for i := range r.failures {
		f := &r.failures[i]
		if hung(f.steps[f.step].ex) {
			s.silent++
		}
		same := f.at == s.best.at && f.out.Signature == s.best.out.Signature
		rank := s.any && s.j.bound[f.at].rule.Rank == rule.Class && f.defects <= s.best.defects
		if f.step == len(steps)-1 && (same || rank) {
			s.best = *f
			return true
		}
	}
	return false
}

// refreshed gives a copy whose fresh values nobody sent before.
func (s *shrinker) refreshed(m *request.Message) *request.Message {
	if m.Tree == nil || m.Raw != nil {
		return m
	}
	out := m.Clone()
	g := s.j.Plan.Preflight(s.c.Op, s.best.identity, generate.TwinNumber(s.j.twin()))
	mild := g.Mild()
	for _, v := range request.Values(s.c.Op, out.Tree) {
		fresh := mild.Tree.Get(v.Name)
		if fresh != nil && (nonce(v.Value.Text) || s.best.identity.Owns(v.Value.Text)) {
			out.Tree.Set(v.Name, fresh)
		}
	}
	return out
}

// size orders requests: fewer defects, fewer fields, fewer differences from the
// mild one, fewer bytes. Every step of shrinking makes it smaller, so shrinking
// ends.
func size(m *request.Message, s *request.Sent) int {
	odd := len(m.Fields) + len(m.Drop) + int(m.Framing) + len(m.Query)
	if m.Names != nil {
		odd++
	}
	return defects(s)*1e12 + odd*1e10 + unusual(s)*1e8 + len(m.Body())
}

// alike tells whether two requests are the same thing to a server: shrinking
// must not change what is tried.
func alike(a, b *request.Sent) bool {
	if a.Duty() != b.Duty() || a.Credential != b.Credential || len(b.Transport) > len(a.Transport) {
		return false
	}
	if a.Body == nil || b.Body == nil {
		return a.Body == b.Body
	}
	return a.Body.Kind == b.Body.Kind
}
