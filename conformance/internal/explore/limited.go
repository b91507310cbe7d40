package explore

import (
	"context"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// turnedAway asks again on the connections that were refused with 429, or 503 with
// Retry-After, and returns how many of them are served then. If the first
// connection is served while another is not, the target limits connections.
// Otherwise it limits requests, and that passes.
func (t *Target) turnedAway(ctx context.Context, op *openapi.Operation, sessions []Session, turned []bool, wait time.Duration) int {
	ask := func(s Session) *exchange.Exchange {
		return t.sendNow(ctx, s, t.Baseline(t.Fresh(op)), "preflight", wait)
	}
	served, waits := 0, 0
	for i := range turned {
		if !turned[i] {
			continue
		}
		for waits < limits.ProbeWaits && ctx.Err() == nil {
			e := ask(sessions[i])
			if e.Failure != nil {
				break
			}
			d, again := t.throttle.Patience(e, waits)
			if !again {
				served++
				break
			}
			if first := ask(sessions[0]); first.Failure == nil && !client.Throttled(first) {
				t.Facts.Limited = true
				return served
			}
			waits++
			over := t.Waits.For("waiting because the server asks for it (429 or Retry-After)")
			client.Pause(ctx, min(d, limits.ProbeWait))
			over()
		}
	}
	return served
}
