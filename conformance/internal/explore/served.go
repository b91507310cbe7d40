package explore

import (
	"context"
	"time"

	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// watchServed waits until all connections are answered, or until it is certain that
// some are not served: the shortest wait is over, and the connection that is served
// was answered many more times since. On a busy machine that connection is slow
// too, so no clock decides whether a target is slow or serves fewer.
func (t *Target) watchServed(ctx context.Context, op *openapi.Operation, served Session, all <-chan struct{}, least time.Duration) {
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
