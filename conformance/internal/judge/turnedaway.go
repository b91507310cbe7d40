package judge

import (
	"context"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
)

// turnedAway asks again on the connections that were turned away with 429, or 503
// with Retry-After, and gives how many of them are served then. That the first
// connection is served beside one that is not shows a limit on connections, else
// the limit is one on requests and passes.
func (j *Judge) turnedAway(ctx context.Context, op *contract.Operation, sessions []*exchange.Session, turned []bool, wait time.Duration) int {
	ask := func(s *exchange.Session) *exchange.Exchange {
		m := j.mild(j.Plan.Preflight(op, j.identity(0), generate.TwinNumber(j.twin())))
		e := s.Do(ctx, j.Endpoint.Wire(m, "preflight"), wait)
		j.sent.Add(1)
		return e
	}
	served, waits := 0, 0
	for i := range turned {
		if !turned[i] {
			continue
		}
		for waits < probeWaits && ctx.Err() == nil {
			e := ask(sessions[i])
			if e.Failure != nil {
				break
			}
			d, again := j.throttle.patience(e, waits)
			if !again {
				served++
				break
			}
			if first := ask(sessions[0]); first.Failure == nil && !throttled(first) {
				j.facts.Limited = true
				return served
			}
			waits++
			pause(ctx, min(d, probeWait))
		}
	}
	return served
}
