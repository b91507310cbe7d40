package explore

import (
	"context"
	"slices"
	"time"

	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// spare returns how many connections the target serves at once beside those that are open, of
// which it closes none: limits.Spare, and limits.SlowSpare more if its answers take so long that
// most of a run would be waiting.
func (t *Target) spare(ctx context.Context, op *openapi.Operation, open []Session) int {
	if slices.ContainsFunc(open, func(s Session) bool { return !s.Kept() }) {
		return 0
	}
	median := t.pace.Median()
	steps := []struct {
		more int
		wait time.Duration
	}{{limits.Spare, limits.SpareFactor * median * limits.Spare}, {limits.SlowSpare, limits.SpareFactor * median}}
	if median < limits.SlowMedian {
		steps = steps[:1]
	}
	found, all := 0, slices.Clone(open)
	for _, step := range steps {
		var further []Session
		for range step.more {
			s := t.Client.Session()
			defer s.Close()
			further = append(further, s)
		}
		all = slices.Concat(further, all)
		if !t.answersAll(ctx, op, further, max(limits.LateAnswers, step.wait), false) || !t.answersAll(ctx, op, all, t.Timeout, true) {
			for _, s := range all {
				s.Close()
			}
			t.awaitAnswer(ctx, op)
			break
		}
		found += step.more
	}
	return found
}

// answersAll reports whether requests that are sent at the same time are accepted, one on each
// session. If kept is set, each has to come on the connection that the session has already.
func (t *Target) answersAll(ctx context.Context, op *openapi.Operation, sessions []Session, wait time.Duration, kept bool) bool {
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
