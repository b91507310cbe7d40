package judge

import (
	"context"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
)

// witness waits until further connections are answered, or it is plain that they
// are not served: least is over, and the connection that is served was answered
// many times more since. Where the machine is busy that one is slow too, so that
// no clock tells a slow target from one that serves fewer.
func (j *Judge) witness(ctx context.Context, op *contract.Operation, served *exchange.Session, all <-chan struct{}, least time.Duration) {
	t := time.NewTimer(least)
	defer t.Stop()
	select {
	case <-all:
		return
	case <-ctx.Done():
		return
	case <-t.C:
	}
	for range witnesses {
		select {
		case <-all:
			return
		default:
		}
		m := j.mild(j.Plan.Preflight(op, j.identity(0), generate.TwinNumber(j.twin())))
		if e := j.send(ctx, served, m, "preflight", "preflight"); e == nil || e.Failure != nil {
			return
		}
	}
}
