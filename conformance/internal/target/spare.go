package target

import (
	"context"
	"slices"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/parallel"
)

// spare reports whether the target serves limits.Spare connections at once beside those that are
// open, and closes none of them.
func (t *Target) spare(ctx context.Context, op *contract.Operation, open []Session) bool {
	if slices.ContainsFunc(open, func(s Session) bool { return !s.Kept() }) {
		return false
	}
	var further []Session
	for range limits.Spare {
		s := t.Client.Session()
		defer s.Close()
		further = append(further, s)
	}
	all := slices.Concat(further, open)
	wait := max(limits.LateAnswers, limits.SpareFactor*t.pace.Median()*limits.Spare)
	if t.answersAll(ctx, op, further, wait, false) && t.answersAll(ctx, op, all, t.Timeout, true) {
		return true
	}
	for _, s := range all {
		s.Close()
	}
	t.awaitAnswer(ctx, op)
	return false
}

// answersAll reports whether requests that are sent at the same time are accepted, one on each
// session. If kept is set, each has to come on the connection that the session has already.
func (t *Target) answersAll(ctx context.Context, op *contract.Operation, sessions []Session, wait time.Duration, kept bool) bool {
	served := make([]bool, len(sessions))
	var asked parallel.Group
	for i, s := range sessions {
		m := t.Baseline(t.Fresh(op))
		asked.Go(func() {
			e := t.sendNow(ctx, s, m, "preflight", wait)
			served[i] = Accepted(op, e) && !(kept && e.Fresh)
		})
	}
	asked.Wait()
	return !slices.Contains(served, false)
}
