package diagnose

import (
	"context"
	"slices"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/limits"
)

// Shrinker makes a failing case smaller while it fails in the same way and keeps
// its expectation. Every candidate costs a request, so there is a budget.
type Shrinker struct {
	run    *execute.Run
	target *explore.Target
	ctx    context.Context
	Case   *plan.Case
	Own    explore.Session
	Best   judge.Failure
	any    bool // any requirement of the same rank will do: defects are being told apart
	left   int
	end    time.Time // zero for none
	silent int       // requests that got no answer in time
	filled bool      // the budget was spent
	// once reports whether the target accepts each value only once. Then values is
	// set when nothing but values can get smaller: the first candidate with a small
	// value would use it up.
	once, values bool
}

// New returns a shrinker of a failing case. The caller must close its session.
func NewShrinker(ctx context.Context, run *execute.Run, c *plan.Case, f *judge.Failure) *Shrinker {
	return &Shrinker{run: run, target: run.Target, ctx: ctx, Case: c, Own: run.Target.Client.Session(), Best: *f, left: limits.ShrinkRequests}
}

// Within also bounds the time. Only the size of the example may depend on it.
func (s *Shrinker) Within(d time.Duration, latest time.Time) {
	if s.end = time.Now().Add(d); s.end.After(latest) {
		s.end = latest
	}
}

// Settle shrinks a request with several defects and returns the requirement that
// the smallest one violates. Its budget is counted in requests, not in seconds,
// because which requirement fails is a verdict.
func Settle(ctx context.Context, run *execute.Run, c *plan.Case, f *judge.Failure) int {
	s := NewShrinker(ctx, run, c, f)
	defer s.Own.Close()
	s.any = true
	s.Shrink()
	return s.Best.At
}

// Shrink continues until nothing smaller fails, and reports whether it got that
// far.
func (s *Shrinker) Shrink() bool {
	if s.hopeless() {
		return false
	}
	switch {
	case s.Case.Class.Drawn:
		s.fewer()
		return !s.filled
	case s.Case.Class.Phase == plan.Scenarios:
		return true // each of its steps matters
	case len(s.Best.Steps) > 1:
		s.steps()
		return !s.filled
	}
	s.once = s.target.Facts.Of(s.Case.Op).Unique()
	for s.message() {
	}
	if s.values = s.once; s.values {
		for s.message() {
		}
	}
	return !s.filled
}

// hopeless reports whether every candidate times out.
func (s *Shrinker) hopeless() bool {
	f := s.Best.Steps[len(s.Best.Steps)-1].Exchange.Failure
	return f != nil && f.Kind == exchange.TimedOut
}

// steps leaves out one step after another.
func (s *Shrinker) steps() {
	for again := true; again; {
		again = false
		steps := stepsOf(s.Best.Steps)
		// Large pieces first: sequences can be hundreds of requests long.
		for size := (len(steps) - 1) / 2; size >= 1 && !again; size /= 2 {
			for from := 0; from+size < len(steps) && !again; from += size {
				shorter := append(append([]plan.Step(nil), steps[:from]...), steps[from+size:]...)
				again = s.fails(shorter)
			}
		}
	}
}

func stepsOf(list []judge.Played) []plan.Step {
	out := make([]plan.Step, len(list))
	for i := range list {
		out[i] = list[i].Step
	}
	return out
}

// message tries every smaller request once. It reports whether one still failed,
// which is then the best.
func (s *Shrinker) message() bool {
	step := s.Best.Steps[0].Step
	for m := range candidates(step.Message, s.baseline()) {
		if s.spent() {
			s.filled = true
			return false
		}
		if s.once && step.Message.Tree != nil && s.values != s.spends(m) {
			continue
		}
		next := step
		next.Message = m
		if s.fails([]plan.Step{next}) {
			return true
		}
	}
	return false
}

func (s *Shrinker) baseline() *message.Message {
	return s.target.Plan.Preflight(s.Case.Op, s.Best.Identity, plan.Example).Baseline()
}

func (s *Shrinker) spent() bool {
	late := !s.end.IsZero() && time.Now().After(s.end)
	return late || s.left <= 0 || s.silent >= limits.ShrinkSilent || s.ctx.Err() != nil || s.run.Lost()
}

// fails sends a candidate of the same expectation, and keeps it if it fails the
// same requirement in the same way.
func (s *Shrinker) fails(steps []plan.Step) bool {
	if s.spent() {
		s.filled = true
		return false
	}
	last := steps[len(steps)-1].Message
	was := s.Best.Steps[len(s.Best.Steps)-1].Sent
	if s.target.Facts.Of(s.Case.Op).Unique() && len(steps) == 1 {
		last = s.refreshed(last)
		steps[0].Message = last
	}
	wire := s.target.Endpoint.Wire(last, s.Case.ID)
	if wire.Err != nil {
		return false
	}
	now := s.target.Endpoint.Classify(last, wire)
	if !alike(was, now) || len(steps) == 1 && size(last, now) >= size(s.Best.Steps[0].Step.Message, was) {
		return false
	}
	if len(steps) == 1 && s.usedUp(last, now) {
		return false // its refusal is one of a repeat
	}
	s.left--
	s.Own.Fresh()
	r, err := s.run.Insist(s.ctx, s.Case, s.Best.Identity, steps, s.Own, 1)
	if err != nil {
		return false
	}
	for i := range r.Failures {
		f := &r.Failures[i]
		if execute.Hung(f.Steps[f.Step].Exchange) {
			s.silent++
		}
		same := f.At == s.Best.At && f.Outcome.Signature == s.Best.Outcome.Signature
		rank := s.any && s.run.Judge.Bound[f.At].Rule.Rank == requirement.Class && f.Defects <= s.Best.Defects
		if f.Step == len(steps)-1 && (same && s.sameWords(f) || rank) {
			s.Best = *f
			return true
		}
	}
	return false
}

// sameWords reports whether a valid candidate is refused with the message of the request before it: a
// smaller request may break another rule of the server.
func (s *Shrinker) sameWords(f *judge.Failure) bool {
	if !s.refusesValid() {
		return true
	}
	was, is := refusalWords(&s.Best), refusalWords(f)
	return was == "" || is == "" || was == is
}

// refusalWords returns the message in an answer without the values of the request.
func refusalWords(f *judge.Failure) string {
	p := f.Shows()
	if p.Exchange == nil || p.Exchange.Response == nil {
		return ""
	}
	return requirement.Words(requirement.Said(p.Exchange.Response.Content), p.Sent)
}

// refusesValid reports whether the failure is that a valid request is refused.
func (s *Shrinker) refusesValid() bool {
	role := s.run.Judge.Bound[s.Best.At].Rule.Role
	return role.ValidRefused() || role == requirement.RoleCredentialAcceptance
}

// refreshed returns a copy with fresh values that no request has sent.
func (s *Shrinker) refreshed(m *message.Message) *message.Message {
	if m.Tree == nil || m.Raw != nil {
		return m
	}
	out := m.Clone()
	baseline := s.target.FreshAs(s.Case.Op, s.Best.Identity).Baseline()
	for _, v := range message.Values(s.Case.Op, out.Tree) {
		fresh := baseline.Tree.Get(v.Name)
		if fresh != nil && (plan.IsFresh(v.Value.Text) || s.target.Plan.In(s.Case.Op, s.Best.Identity).Owns(v.Value.Text)) {
			out.Tree.Set(v.Name, fresh)
		}
	}
	return out
}

// takenOnce reports whether the target accepts each value of a member only once.
func (s *Shrinker) takenOnce(name string) bool {
	return slices.ContainsFunc(s.target.Facts.Of(s.Case.Op).Repeats, func(r explore.Repeat) bool {
		return r.Status != 0 && r.Path == "/"+jsontree.EscapePointer(name)
	})
}

// spends reports whether a candidate has a new value of a member whose values the
// target accepts only once, or, as raw bytes, a value that was sent before.
func (s *Shrinker) spends(m *message.Message) bool {
	old := s.Best.Steps[0].Step.Message.Tree
	return m.Tree == nil || slices.ContainsFunc(message.Values(s.Case.Op, m.Tree), func(v jsontree.Member) bool {
		was := old.Get(v.Name)
		return s.takenOnce(v.Name) && (was == nil || !jsontree.Equal(v.Value, was))
	})
}

// usedUp reports whether a valid candidate has a value that the target takes only once and
// that an earlier request may have sent: of raw bytes that is not known. The value that
// failed may stay: it was refused.
func (s *Shrinker) usedUp(m *message.Message, sent *message.Sent) bool {
	if !s.refusesValid() {
		return false
	}
	old := s.Best.Steps[0].Sent.Body.Root()
	return slices.ContainsFunc(message.Values(s.Case.Op, sent.Body.Root()), func(v jsontree.Member) bool {
		was := old.Get(v.Name)
		same := was != nil && jsontree.Equal(v.Value, was)
		return !same && s.takenOnce(v.Name) && (m.Raw != nil || s.run.Judge.Origins.Used(s.Case.Op, v))
	})
}

// size orders requests: fewer defects, fewer fields, fewer differences from the
// baseline request, fewer bytes. Every step makes it smaller, so shrinking ends.
func size(m *message.Message, s *message.Sent) int {
	fields := 0
	for _, f := range m.Fields {
		fields += len(f.Value)
	}
	return judge.Defects(s)*1e12 + m.Unusual()*1e10 + judge.Unusual(s)*1e8 + len(m.Body()) + m.Params.Size() + fields
}

// alike reports whether two requests are the same to a server. Shrinking must not
// change what is tested.
func alike(a, b *message.Sent) bool {
	if a.Expectation() != b.Expectation() || a.Credential != b.Credential || len(b.Transport) > len(a.Transport) {
		return false
	}
	if a.Body == nil || b.Body == nil {
		return a.Body == b.Body
	}
	return a.Body.Kind == b.Body.Kind && (a.Body.Empty == b.Body.Empty || a.Body.Kind == schema.NotJSON)
}
