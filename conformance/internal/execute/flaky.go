package execute

import (
	"context"
	"fmt"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
)

// drops counts requests that were sent again because their connection, which had been kept,
// turned out to be dead. A server may have closed it because it was idle; a server that
// drops a request now and then looks the same.
type drops struct {
	mu    sync.Mutex
	n     int
	last  *plan.Case
	taken bool // they started a probe: one is enough
}

// note counts an exchange of a case.
func (d *drops) note(c *plan.Case, e *exchange.Exchange) {
	if e == nil || !e.Retried {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	d.last = c
}

// take returns the case of the last one, once, if there are enough of them for a probe. Else
// it returns nil.
func (d *drops) take() *plan.Case {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken || d.n < limits.FlakyDrops {
		return nil
	}
	d.taken = true
	return d.last
}

// flaky finds a target that drops requests now and then. It sends baseline requests
// alone, each on a fresh connection, until two are dropped. No other request can be
// the cause then.
func (run *Run) flaky(ctx context.Context, c *plan.Case) {
	r := run.records.of(c)
	if r == nil || r.State != verdict.Tried {
		return
	}
	dropped := 0
	began := time.Now()
	s := run.Target.Client.Session()
	defer s.Close()
	for n := range limits.FlakyProbe {
		s.Fresh()
		g := run.Target.Fresh(c.Op)
		m := run.Target.Baseline(g)
		e := run.Target.Send(ctx, s, m, c.ID, "control")
		if e == nil || time.Since(began) > limits.FlakyTime {
			return
		}
		if e.Failure == nil || e.Failure.Kind == exchange.TimedOut || !transport(e) {
			continue
		}
		if dropped++; dropped < limits.FlakyDrops {
			continue
		}
		p := verdict.Played{Step: plan.Step{Message: m}, Exchange: e, Sent: run.Target.Endpoint.Classify(m, e.Request)}
		r.Failures = append(r.Failures, run.unansweredFailure(c, p, run.Target.Identity(0), rule.Failed("flaky", "an answer to every request",
			fmt.Sprintf("%d of %d baseline requests, each sent alone on a new connection, were dropped: %s", dropped, n+1, e.Failure.Error()))))
		return
	}
}
