package explore

import (
	"context"
	"time"

	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// lateAnswers reports whether connections that were opened together were answered so late
// that the target may have closed others first.
func (t *Target) lateAnswers(took time.Duration) bool {
	return took > limits.LateAnswers && took > limits.LateFactor*limits.Probed*t.pace.Median()
}

// servedBeside returns how many connections a target serves that may close idle ones to
// serve others. It takes the best of several tries, because a busy machine may leave a
// connection idle so long that it is closed.
func (t *Target) servedBeside(ctx context.Context, op *openapi.Operation) int {
	most := 1
	for range limits.IdleTries {
		most = max(most, t.keptOpen(ctx, op))
		if most == limits.Probed {
			break
		}
	}
	return most
}

// keptOpen opens one connection after the other until the target has to close one to serve
// the next. It returns how many stay open, or limits.Probed if the target closes every
// connection after an answer, which tells nothing.
func (t *Target) keptOpen(ctx context.Context, op *openapi.Operation) int {
	var sessions []Session
	defer func() {
		for _, s := range sessions {
			s.Close()
		}
	}()
	ask := func(s Session) (kept, ok bool) {
		e := t.sendNow(ctx, s, t.Baseline(t.Fresh(op)), "preflight", t.Timeout)
		return !e.Fresh, e.Failure == nil
	}
	for n := range limits.Probed {
		s := t.Client.Session()
		sessions = append(sessions, s)
		if _, ok := ask(s); !ok {
			return max(n, 1)
		}
		if n == 0 {
			if kept, ok := ask(s); !kept || !ok {
				return limits.Probed
			}
		}
		for _, before := range sessions[:n] {
			if kept, ok := ask(before); !kept || !ok {
				return n
			}
		}
	}
	return limits.Probed
}
