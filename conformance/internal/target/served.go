package target

import (
	"context"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/limits"
)

// watchServed waits until further connections are answered, or it is plain that they
// are not served: least is over, and the connection that is served was answered
// many times more since. Where the machine is busy that one is slow too, so that
// no clock tells a slow target from one that serves fewer.
func (t *Target) watchServed(ctx context.Context, op *contract.Operation, served Session, all <-chan struct{}, least time.Duration) {
	timer := time.NewTimer(least)
	defer timer.Stop()
	select {
	case <-all:
		return
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	for range limits.ServedAnswers {
		select {
		case <-all:
			return
		default:
		}
		m := t.Baseline(t.Fresh(op))
		if e := t.Send(ctx, served, m, "preflight", "preflight"); e == nil || e.Failure != nil {
			return
		}
	}
}
