package execute

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// All runs the cases, phase by phase. What was dropped or timed out is tried again,
// alone, at the end of its phase. Then it judges the exchanges of the pre-flight.
func (run *Run) All(ctx context.Context) {
	if run.Target.Ended != "" {
		return
	}
	if run.settled {
		if run.JudgeBroken(ctx); run.lost.Load() {
			for _, c := range run.Cases {
				if run.records.of(c) == nil {
					run.records.set(c, &judge.Record{Why: LostReason})
				}
			}
		} else {
			run.phases(ctx)
		}
	}
	for _, o := range run.Target.Openings {
		run.judgeOpening(o)
	}
	if run.settled && !run.lost.Load() {
		run.JudgeBroken(ctx)
	}
}

// Resume tries what a failure kept from being tried, and stops no more: a second look
// found that the failure had another cause.
func (run *Run) Resume(ctx context.Context) {
	run.Stops = nil
	run.stopped.Store(false)
	run.phases(ctx)
}

func (run *Run) phases(ctx context.Context) {
	began := time.Now()
	run.rounds = rounds(run.Cases)
	workers := run.AtOnce()
	run.connections = semaphore.NewWeighted(int64(workers))
	waiting := run.setAside(ctx)
	defer waiting.end(ctx)
	for i, stage := range stages {
		var all, untried []*plan.Case
		for _, c := range run.Cases {
			if !stage.has(c) || waiting.has(c) || run.turnsOff(c) {
				continue
			}
			all = append(all, c)
			if run.records.of(c) == nil {
				untried = append(untried, c)
			}
		}
		waiting.before(ctx, stage.phase, untried)
		// What deletes a collection would delete what cases beside it are about.
		clears, cases := split(run.ordered(untried), func(c *plan.Case) bool { return run.Target.Clears(c.Op) })
		alone, cases := split(cases, func(c *plan.Case) bool { return c.Class.Alone })
		run.phaseEnd.Store(stage.end(ctx, began))
		run.reserved.Store(run.reserve(ctx, began, i))
		run.final.Store(stage.phase != plan.Single || stage.rest)
		run.longEnd.Store(stages[min(i+1, len(stages)-1)].end(ctx, began))
		switch stage.phase {
		case plan.Sequence:
			run.sequences(ctx, cases, workers)
		case plan.Heavy:
			run.phase(ctx, cases, &row{cases: cases}, crew{workers: 1})
		default:
			run.phase(ctx, cases, &row{cases: cases}, crew{workers: workers})
		}
		run.apart(ctx, alone, workers)
		if len(clears) > 0 {
			waiting.end(ctx)
		}
		run.phase(ctx, clears, &row{cases: clears}, crew{workers: 1})
		run.conclude(ctx, all)
		if run.stopped.Load() {
			return
		}
	}
	waiting.end(ctx)
	last, _ := split(run.ordered(run.Cases), func(c *plan.Case) bool { return run.turnsOff(c) && run.records.of(c) == nil })
	run.phase(ctx, last, &row{cases: last}, crew{workers: 1})
	run.conclude(ctx, last)
}

// turnsOff reports whether others are refused after the operation of a case. Such cases come
// last, one by one.
func (run *Run) turnsOff(c *plan.Case) bool {
	return run.Target.Facts.Of(c.Op.First()).Off != nil
}

// AtOnce returns how many connections the run uses at the same time: no more than the
// target serves.
func (run *Run) AtOnce() int {
	n, facts := run.Workers, run.Target.Facts
	switch {
	case facts.Connections < limits.Probed:
		n = min(n, facts.Connections)
	case run.Spare:
		n += facts.Spare
	}
	return max(n, 1)
}

// conclude tries again what was dropped or timed out, unless a failure ended the run.
func (run *Run) conclude(ctx context.Context, cases []*plan.Case) {
	if run.stopped.Load() {
		return
	}
	run.retryAll(ctx, cases)
	for _, c := range cases {
		run.stopAt(run.records.of(c))
	}
}

// sequences tries cases of several requests. Those about things of one family come one
// after the other, so that each shows what it does itself. On a slow target that would
// take most of the run: those on one connection then run beside all others.
func (run *Run) sequences(ctx context.Context, cases []*plan.Case, workers int) {
	for len(cases) > 0 {
		connections := slices.MinFunc(cases, func(a, b *plan.Case) int { return cmp.Compare(a.Class.Connections, b.Class.Connections) }).Class.Connections
		var some []*plan.Case
		some, cases = split(cases, func(c *plan.Case) bool { return c.Class.Connections == connections })
		if connections == 1 && run.slow() {
			// The run would wait for the longest at its end.
			slices.SortStableFunc(some, func(a, b *plan.Case) int {
				return cmp.Or(cmp.Compare(run.rounds[a], run.rounds[b]), cmp.Compare(b.Steps(), a.Steps()))
			})
			run.phase(ctx, some, &row{cases: some}, crew{workers: workers})
			continue
		}
		run.phase(ctx, some, run.newLanes(some), crew{workers: max(1, workers/connections), connections: connections})
	}
}

// split divides cases into those that have a property and the others, in their order.
func split(cases []*plan.Case, has func(*plan.Case) bool) (yes, no []*plan.Case) {
	for _, c := range cases {
		if has(c) {
			yes = append(yes, c)
		} else {
			no = append(no, c)
		}
	}
	return yes, no
}

// shuffled returns cases in an order that reveals nothing about them: the plan is
// public, so a target could otherwise predict the next request. The rounds stay one behind the
// other, for a run that has no time for all.
func (run *Run) shuffled(cases []*plan.Case) []*plan.Case {
	cases = slices.Clone(cases)
	slices.SortStableFunc(cases, func(a, b *plan.Case) int {
		return cmp.Or(cmp.Compare(run.rounds[a], run.rounds[b]), cmp.Compare(a.Seed, b.Seed))
	})
	return cases
}

// ordered returns cases in the order in which they are tried.
func (run *Run) ordered(cases []*plan.Case) []*plan.Case {
	cases = run.shuffled(cases)
	if run.First == nil {
		return cases
	}
	first, others := split(cases, run.First)
	return append(first, others...)
}

// slow reports whether the target is too slow to run each sequence alone.
func (run *Run) slow() bool {
	median, _ := run.Target.Pace()
	return median > limits.SlowAnswer
}

// one tries a case for the first time, if there is time for it.
func (run *Run) one(ctx context.Context, c *plan.Case, own explore.Session, try Patience) {
	if run.postponed(c) {
		if run.final.Load() {
			run.keep(c, &judge.Record{Why: postponedReason})
		}
		return
	}
	if c.Draw > 0 && run.late() {
		run.keep(c, &judge.Record{Why: slowReason})
		return
	}
	run.keep(c, run.attempt(ctx, c, own, try))
}

// late reports whether the time for this phase is over.
func (run *Run) late() bool { return past(run.phaseEnd.Load()) }

func past(end *time.Time) bool { return end != nil && time.Now().After(*end) }
