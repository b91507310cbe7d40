package execute

import (
	"cmp"
	"context"
	"slices"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// asideWorkers is the most workers that try cases that wait. If the target is not known to serve
// more, that leaves two connections for the other cases, enough for two cores.
const asideWorkers = 6

// aside tries the cases that mostly wait while the run goes on with others. If all workers
// waited, nothing else would happen meanwhile.
type aside struct {
	run     *Run
	cases   []*plan.Case
	row     *row           // nil if they are left in their phase
	workers int            // that try them
	tried   *parallel.Task // nil before and after
}

// setAside begins with the cases that mostly wait. It leaves them in their phase if the
// target is slow or serves few connections, or the user wants few: they would take those
// of other cases.
func (run *Run) setAside(ctx context.Context) *aside {
	a := &aside{run: run}
	if min(run.Workers, run.Target.Facts.Connections) < limits.Probed || run.slow() {
		return a
	}
	for _, c := range run.Cases {
		if a.is(c) && run.records.of(c) == nil {
			a.cases = append(a.cases, c)
		}
	}
	if len(a.cases) == 0 {
		return a
	}
	a.cases = run.ordered(a.cases)
	slices.SortStableFunc(a.cases, func(a, b *plan.Case) int { return cmp.Compare(b.Class.Waits, a.Class.Waits) })
	a.row = &row{cases: a.cases}
	a.workers = min(len(a.cases), asideWorkers)
	run.connections.TryAcquire(int64(a.workers)) // nobody else has any yet
	a.tried = parallel.Start(func() { run.work(ctx, a.row, crew{workers: a.workers, connected: true}) })
	return a
}

// is reports whether a case may be one of them. What deletes a collection may not run
// beside other cases.
func (a *aside) is(c *plan.Case) bool {
	return c.Class.Waits > 0 && c.Class.Phase == plan.Single && !a.run.Target.Clears(c.Op) && a.run.Target.Facts.Of(c.Op.First()).Off == nil
}

// has reports whether a case is one of them.
func (a *aside) has(c *plan.Case) bool { return a.row != nil && a.is(c) }

// before ends with these cases if those of the next phase must not run beside them: what
// they make would be in the lists that a lifecycle reads, and a target may lock out who
// sends wrong credentials.
func (a *aside) before(ctx context.Context, next plan.Phase, cases []*plan.Case) {
	if next == plan.Credential || next == plan.Lifecycle && len(cases) > 0 {
		a.end(ctx)
	}
}

// end waits for these cases, and tries again what was dropped or timed out.
func (a *aside) end(ctx context.Context) {
	if a.tried == nil {
		return
	}
	a.tried.Wait()
	a.tried = nil
	a.run.phase(ctx, a.cases, a.row, crew{workers: a.workers})
	a.run.conclude(ctx, a.cases)
}
