package execute

import (
	"context"
	"sync/atomic"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/parallel"
)

// crew says how many workers a phase has, and how many connections each needs: 1 if not
// given. A worker waits until so many are free, unless the crew has its connections already.
type crew struct {
	workers, connections int
	connected            bool
}

// phase hands the cases of a source to the next free worker. Each worker keeps one
// connection; together they never open more than the target serves. If many answers are
// missing, all workers stop until one such case was tried alone.
func (run *Run) phase(ctx context.Context, cases []*plan.Case, from source, w crew) {
	for from.left() && ctx.Err() == nil && !run.lost.Load() && !run.stopped.Load() {
		run.work(ctx, from, w)
		if run.hangs.pressing() {
			run.look(ctx, cases)
		}
	}
}

// work lets workers take cases until none is left or a case must be tried alone.
func (run *Run) work(ctx context.Context, from source, w crew) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group := parallel.Group{Stop: stop}
	joining, end := context.WithCancel(ctx)
	defer end()
	each := int64(min(max(w.connections, 1), run.AtOnce()))
	var busy atomic.Int64
	for range w.workers {
		group.Go(func() {
			if !w.connected && run.connections.Acquire(joining, each) != nil {
				return
			}
			defer run.connections.Release(each)
			defer end() // a worker that finds no case leaves none for those that still wait
			busy.Add(1)
			run.worker(ctx, from, &busy)
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
