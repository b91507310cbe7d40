package execute

import (
	"cmp"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// All runs the cases, phase by phase. What was dropped or timed out is tried again,
// alone, at the end of its phase. Then it judges the exchanges of the pre-flight.
func (run *Run) All(ctx context.Context) {
	if run.Target.Ended != "" {
		return
	}
	for _, c := range run.Cases {
		if run.Target.Facts.Of(c.Op).Unreached == explore.NoTime {
			run.keep(c, &judge.Record{Why: explore.NoTime}) // no time is kept for it either
		}
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
	run.joinResent()
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
	run.rounds = rounds(run.Cases, run.hurried(ctx))
	run.leaveOut()
	workers := run.AtOnce()
	run.connections = semaphore.NewWeighted(int64(workers))
	waiting := run.setAside(ctx)
	defer waiting.end(ctx)
	for i, stage := range stages {
		for repeats := 0; ; repeats++ {
			all := run.stage(ctx, began, i, waiting, workers)
			if repeats == maxRepeats || !run.repaired(ctx, stage, all, waiting) {
				break
			}
		}
		if run.stopped.Load() || run.Target.Ended != "" {
			return
		}
	}
	waiting.end(ctx)
	last, _ := split(run.ordered(run.Cases), func(c *plan.Case) bool { return run.turnsOff(c) && run.records.of(c) == nil })
	run.phase(ctx, last, &row{cases: last}, workerPool{workers: 1})
	run.conclude(ctx, last)
}

// maxRepeats is how often a stage is tried again.
const maxRepeats = 3

// stage tries the cases of a stage that have no record, and returns all that it has.
func (run *Run) stage(ctx context.Context, began time.Time, i int, waiting *aside, workers int) (all []*plan.Case) {
	stage := stages[i]
	var untried []*plan.Case
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
	for round := ofKind; round < additional; round++ {
		run.reserved[round].Store(run.reserve(ctx, began, i, round))
	}
	run.final.Store(stage.phase != plan.Single || stage.rest)
	run.longEnd.Store(stages[min(i+1, len(stages)-1)].end(ctx, began))
	switch stage.phase {
	case plan.Sequence:
		run.sequences(ctx, cases, workers)
	case plan.Heavy:
		run.phase(ctx, cases, &row{cases: cases}, workerPool{workers: 1})
	default:
		run.phase(ctx, cases, &row{cases: cases}, workerPool{workers: workers})
	}
	run.apart(ctx, alone, workers)
	if len(clears) > 0 {
		waiting.end(ctx)
	}
	run.phase(ctx, clears, &row{cases: clears}, workerPool{workers: 1})
	run.conclude(ctx, all)
	return all
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

// sequences tries cases of several requests. Those about resources of one family come one
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
			run.phase(ctx, some, &row{cases: some}, workerPool{workers: workers})
			continue
		}
		run.phase(ctx, some, run.newQueues(some), workerPool{workers: max(1, workers/connections), connections: connections})
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
func (run *Run) one(ctx context.Context, c *plan.Case, own explore.Session, try Timeout) {
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
	run.keep(c, run.inRoom(ctx, c, own, try))
}

// late reports whether the time for this phase is over.
func (run *Run) late() bool { return past(run.phaseEnd.Load()) }

func past(end *time.Time) bool { return end != nil && time.Now().After(*end) }

// stage is a part of a run: it ends before the next one begins. It has the cases of a phase,
// but those of the phase Sequence are in two stages.
type stage struct {
	phase plan.Phase
	// crowded says that the sequences are those that need more connections than are free while
	// other cases wait. They come later, so that the run does not stand still until then.
	crowded bool
	// rest says that the stage has what was left of its phase for want of time.
	rest bool
	// share is the part of the time limit after which the stage stops trying more than one
	// case of each class. The rest is for confirming failures.
	share float64
}

// stages are in the order in which they are tried.
var stages = [...]stage{
	{phase: plan.Single, share: 0.50},
	{phase: plan.Scenarios, share: 0.57},
	{phase: plan.Sequence, share: 0.65},
	{phase: plan.Heavy, share: 0.72},
	{phase: plan.Sequence, crowded: true, share: 0.74},
	{phase: plan.Single, rest: true, share: 0.80},
	{phase: plan.Credential, share: 0.92},
}

// has reports whether a case belongs to the stage.
func (s stage) has(c *plan.Case) bool {
	crowded := c.Class.Phase == plan.Sequence && c.Class.Connections > limits.Probed-asideWorkers
	return c.Class.Phase == s.phase && crowded == s.crowded
}

// end returns when the stage stops trying more than one case of each class, so that all
// classes are tried on a slow target. It is nil if the run has no time limit.
func (s stage) end(ctx context.Context, began time.Time) *time.Time {
	end, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	at := began.Add(time.Duration(float64(end.Sub(began)) * s.share))
	return &at
}

// The rounds of a stage. Each operation has its part of one before any has more of the next,
// so that a run that is cut by its time limit tells something of everything.
const (
	waiting    = iota - 1 // what mostly waits begins before all others, unless time is short
	ofFamily              // the first class of each family: the baseline, one violation, no credential
	ofKind                // the first class of each mutator, and of each kind of wrong credential
	ofClass               // the first case of every class
	additional            // all other cases
)

// basic are the families that a run without time for all tries first: the pre-flight has a valid
// request of each operation, and its answer is judged.
var basic = []plan.Family{plan.FamilyInvalid, plan.FamilyNotJSON, plan.FamilyCredential}

// hurried reports whether the target is so slow that a run has no time for all cases, one after the
// other.
func (run *Run) hurried(ctx context.Context) bool {
	end, limited := ctx.Deadline()
	if !limited || !run.slow() {
		return false
	}
	answer, _ := run.Target.Pace()
	left := time.Until(end)
	for _, c := range run.Cases {
		if run.records.of(c) == nil {
			left -= time.Duration(c.Steps()) * answer
		}
	}
	return left < 0
}

// leaveOut leaves out the valid requests of operations that are not explored: they may be refused for
// reasons that nobody looked for.
func (run *Run) leaveOut() {
	for _, c := range run.Cases {
		if run.Target.Facts.Of(c.Op).Unexplored && !slices.Contains(basic, c.Class.Family) && run.records.of(c) == nil {
			run.keep(c, &judge.Record{Why: explore.NoTime})
		}
	}
}

// rounds finds the round of each case of a run, which may be hurried.
func rounds(cases []*plan.Case, hurried bool) map[*plan.Case]int {
	type group struct {
		op    *openapi.Operation
		phase plan.Phase
		name  string
	}
	out, seen := map[*plan.Case]int{}, map[group]bool{}
	first := func(c *plan.Case, name string) bool {
		g := group{c.Op, c.Class.Phase, name}
		was := seen[g]
		seen[g] = true
		return !was
	}
	for _, c := range cases {
		family, kind := string(c.Class.Family), c.Class.Mutator
		if c.Class.Family == plan.FamilyCredential {
			kind += " " + c.Class.Subject
		}
		switch {
		case c.Class.Waits > 0 && !hurried:
			out[c] = waiting
		case c.Draw > 0:
			out[c] = additional
		case !(hurried && (c.Class.Waits > 0 || !slices.Contains(basic, c.Class.Family))) && first(c, family):
			first(c, kind)
			out[c] = ofFamily
		case first(c, kind):
			out[c] = ofKind
		default:
			out[c] = ofClass
		}
	}
	return out
}

// reserve returns when a stage stops trying cases of a round: the stages behind it need the rest of
// the time for those of the rounds before. It is nil if the run has no time limit.
func (run *Run) reserve(ctx context.Context, began time.Time, stage, round int) *time.Time {
	last, own := stages[len(stages)-1].end(ctx, began), stages[stage].end(ctx, began)
	if last == nil {
		return nil
	}
	answer, _ := run.Target.Pace()
	for _, c := range run.Cases {
		if run.records.of(c) != nil || c.Draw > 0 {
			continue
		}
		for _, later := range stages[stage+1:] {
			if !later.rest && later.has(c) && (run.rounds[c] < round || round == ofClass && c.Class.Phase == plan.Credential) {
				need := time.Duration(c.Steps()) * answer * 3 / 2
				if later.phase == plan.Credential && round == ofClass {
					need /= time.Duration(run.AtOnce())
				}
				*last = last.Add(-need)
			}
		}
	}
	if last.Before(*own) {
		return own
	}
	return last
}

// postponed reports whether a case is left for later because those behind it would have no time.
func (run *Run) postponed(c *plan.Case) bool {
	round := run.rounds[c]
	return (round == ofKind || round == ofClass) && past(run.reserved[round].Load())
}

const postponedReason = "the run had no time for it (see --max-time): each operation first has one case of each kind"
