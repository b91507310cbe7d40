package diagnose

import (
	"slices"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// fewer leaves out one step after another of a case about one thing, but the first, which
// makes it, and the last, which shows the failure. Each candidate makes another thing with
// fresh values: what is left of the one before is changed or deleted.
func (s *Shrinker) fewer() {
	kept := make([]int, len(s.Best.Steps))
	for i := range kept {
		kept[i] = i
	}
	for again := true; again; {
		again = false
		for i := len(kept) - 2; i > 0 && !again; i-- {
			candidate := slices.Delete(slices.Clone(kept), i, i+1)
			if again = s.stillFails(candidate); again {
				kept = candidate
			}
		}
	}
}

// stillFails sends the named steps of the case, and keeps them if the last one fails the
// same requirement in the same way.
func (s *Shrinker) stillFails(kept []int) bool {
	if s.spent() {
		s.filled = true
		return false
	}
	s.left -= len(kept)
	s.Own.Fresh()
	id := s.Best.Identity
	id.Retry = s.target.RetryOf(s.Case)
	all := s.target.Plan.Build(s.Case, id)
	s.run.CompleteAll(s.Case, id, all)
	steps := make([]plan.Step, len(kept))
	for i, k := range kept {
		steps[i] = all[k]
	}
	r := s.run.Insist(s.ctx, s.Case, id, steps, s.Own, 1)
	if r == nil {
		return false
	}
	i := slices.IndexFunc(r.Failures, func(f judge.Failure) bool {
		return f.At == s.Best.At && f.Outcome.Signature == s.Best.Outcome.Signature && f.Step == len(steps)-1
	})
	if i < 0 {
		return false
	}
	s.Best = r.Failures[i]
	return true
}
