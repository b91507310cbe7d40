package execute

import (
	"context"
	"fmt"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
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
	if r == nil || r.State != judge.Tried {
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
		p := judge.Played{Step: plan.Step{Message: m}, Exchange: e, Sent: run.Target.Endpoint.Classify(m, e.Request)}
		r.Failures = append(r.Failures, run.unansweredFailure(c, p, run.Target.Identity(0), requirement.Failed("flaky", "an answer to every request",
			fmt.Sprintf("%d of %d baseline requests, each sent alone on a new connection, were dropped: %s", dropped, n+1, e.Failure.Error()))))
		return
	}
}

// starved finds a target that never answers some of several requests at once. It sends as many
// baseline requests as the target serves, again and again, until two were not answered in the full
// time while many others were, on other connections: no request can be the cause then, and no queue.
func (run *Run) starved(ctx context.Context, c *plan.Case) {
	r := run.records.of(c)
	n := min(run.Target.Facts.Connections, limits.Probed)
	if n < 2 || r == nil || r.State != judge.Tried {
		return
	}
	lost, began := 0, time.Now()
	for rounds := 0; rounds < limits.FlakyProbe/n && ctx.Err() == nil; rounds++ {
		if lost == 0 && time.Since(began) > limits.FlakyTime {
			return
		}
		for _, p := range run.burst(ctx, c, n) {
			if lost++; lost < limits.FlakyDrops {
				continue
			}
			r.Failures = append(r.Failures, run.unansweredFailure(c, p, run.Target.Identity(0), requirement.Failed("flaky", "an answer to every request",
				fmt.Sprintf("of %d baseline requests, %d at a time, %d got no answer, while the others and later ones did: %s", (rounds+1)*n, n, lost, p.Exchange.Failure.Error()))))
			return
		}
	}
}

// burst sends baseline requests at the same time, each on a connection of its own, and returns
// those that got no answer while later ones did.
func (run *Run) burst(ctx context.Context, c *plan.Case, n int) (lost []judge.Played) {
	list := make([]judge.Played, n)
	sessions := make([]explore.Session, n)
	answered, all := make(chan int, n), make(chan struct{})
	for i := range list {
		list[i].Step.Message = run.Target.Baseline(run.Target.Fresh(c.Op))
		sessions[i] = run.Target.Client.Session()
		if run.Target.Bind(ctx, sessions[i], list[i].Step.Message) != nil {
			return nil
		}
		defer sessions[i].Close()
	}
	var group parallel.Group
	for i := range list {
		group.Go(func() {
			list[i].Exchange = run.Target.Send(ctx, sessions[i], list[i].Step.Message, c.ID, "control")
			answered <- i
		})
	}
	timeout := time.After(min(max(limits.FirstWait, run.Target.Justified()), run.Target.Timeout/2))
	left := n
	for waiting := true; waiting && left > 0; {
		select {
		case i := <-answered:
			sessions[i].Close() // a server of few connections now has room
			left--
		case <-timeout:
			waiting = false
		}
	}
	beside := false
	if left > 0 && left < n {
		group.Go(func() {
			for range left {
				<-answered
			}
			close(all)
		})
		beside = run.Target.AnswersBeside(ctx, c.Op, all)
	}
	group.Wait()
	for _, p := range list {
		if e := p.Exchange; beside && Hung(e) && len(e.Received) == 0 && ctx.Err() == nil {
			p.Sent = run.Target.Endpoint.Classify(p.Step.Message, e.Request)
			lost = append(lost, p)
		}
	}
	return lost
}
