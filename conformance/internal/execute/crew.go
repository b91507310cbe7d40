package execute

import (
	"context"
	"sync"
	"sync/atomic"

	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/internal/plan"
)

// crew says how many workers a phase has: now at its beginning, and later more once free is
// closed. free is nil if no others join.
type crew struct {
	now, later int
	free       <-chan struct{}
}

// each returns how many cases the workers can try at the same time if each takes as many
// connections.
func (w crew) each(connections int) crew {
	now := max(1, w.now/connections)
	return crew{now: now, later: max(0, (w.now+w.later)/connections-now), free: w.free}
}

// phase hands the cases of a source to the next free worker. Each worker keeps one
// connection; together they never open more than the target serves. If many answers are
// missing, all workers stop until one such case was tried alone.
func (run *Run) phase(ctx context.Context, cases []*plan.Case, from source, workers crew) {
	for from.left() && ctx.Err() == nil && !run.lost.Load() && !run.stopped.Load() {
		run.work(ctx, from, workers)
		if run.hangs.pressing() {
			run.look(ctx, cases)
		}
	}
}

// work lets workers take cases until none is left or a case must be tried alone.
func (run *Run) work(ctx context.Context, from source, workers crew) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group := parallel.Group{Stop: stop}
	over := make(chan struct{})
	end := sync.OnceFunc(func() { close(over) })
	var busy atomic.Int64
	join := func(n int) {
		busy.Add(int64(n))
		for range n {
			group.Go(func() {
				defer end()
				run.worker(ctx, from, &busy)
			})
		}
	}
	join(workers.now)
	if workers.free != nil {
		group.Go(func() {
			select {
			case <-workers.free:
				join(workers.later)
			case <-over:
			}
		})
	}
	group.Wait()
}

// worker tries cases on a connection of its own, beside as many workers as are busy.
func (run *Run) worker(ctx context.Context, from source, busy *atomic.Int64) {
	own := run.Target.Client.Session()
	defer own.Close()
	for ctx.Err() == nil && !run.lost.Load() && !run.stopped.Load() && !run.hangs.pressing() {
		c := from.take()
		if c == nil {
			return
		}
		if run.wary.Load() {
			own.Fresh() // what comes before a case may be why it is not answered
		}
		run.one(ctx, c, own, Patience(busy.Load()))
		from.done(c)
	}
}
