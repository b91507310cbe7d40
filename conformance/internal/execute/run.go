// Package execute sends the cases of a plan. It has workers, sessions and
// sequences, and tries again what was dropped or timed out. New makes a Run, All
// executes it, and Record returns the outcome of a case.
package execute

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/parallel"
)

// Run sends the cases of a plan to a target and keeps what the rules say of the
// answers.
type Run struct {
	Target *explore.Target
	Judge  *judge.Judge
	Settings
	// Cases are those that the selection keeps, in the order of the plan.
	Cases    []*plan.Case
	records  records
	timeouts timeouts
	waits    waits
	stopped  atomic.Bool // Stops says that a failure is enough
	lost     atomic.Bool // the target stopped answering for good
	wary     atomic.Bool // it stops answering on connections that it keeps
	begun    atomic.Int64
	// connections are what the workers share; nil before the first phase.
	connections *semaphore.Weighted
	dropped     drops // on connections that were used before
	end         end
	settled     bool // the pre-flight found a request that is accepted
	mu          sync.Mutex
	done        int
	failed      int
	// phaseEnd is when the current phase stops trying more than one case of each
	// class; nil if the run has no time limit.
	phaseEnd atomic.Pointer[time.Time]
	// longEnd is when the first long sequence of a class is cut short too: when the next
	// phase ends.
	longEnd atomic.Pointer[time.Time]
	// reserved is when the current stage stops trying the cases of a round; nil if the run has no
	// time limit.
	reserved [additional]atomic.Pointer[time.Time]
	final    atomic.Bool                // what is left out now is not tried any more
	rounds   map[*plan.Case]int         // of the cases; nil before the first phase
	families map[*openapi.Operation]int // of operations about the same resources
	anew     map[*plan.Case]bool        // tried again because operations were turned on again
	// making is held for writing while room is made, and for reading while a case is tried.
	making sync.RWMutex
	rooms  rooms
}

// Settings say how to run.
type Settings struct {
	// Workers is the number of concurrent connections, and Spare reports whether there may be
	// more if the target serves them.
	Workers int
	Spare   bool
	// Settle is how long a target may take to show what it accepted.
	Settle time.Duration
	// Wait is how long a target that went away may take to come back, beyond what it always may.
	Wait time.Duration
	// Progress, if not nil, is called after each case.
	Progress func(done, planned, failed int)
	// First, if not nil, reports whether a case comes before the others of its phase.
	First func(c *plan.Case) bool
	// Kept, if not nil, is called with each record of a case that was tried for the first
	// time, one after the other.
	Kept func(c *plan.Case, r *judge.Record)
	// Stops, if not nil, reports whether a failure ends the run.
	Stops func(f *judge.Failure) bool
	// Trace, if not nil, is called with each exchange after it was judged.
	Trace func(c *plan.Case, step int, p *judge.Played)
}

// New returns a run of cases. Settled is the result of Target.Learn.
func New(t *explore.Target, j *judge.Judge, s Settings, cases []*plan.Case, settled bool) *Run {
	return &Run{Target: t, Judge: j, Settings: s, Cases: cases, settled: settled, anew: map[*plan.Case]bool{}}
}

// Record returns the outcome of a case, or nil if it was not tried.
func (run *Run) Record(c *plan.Case) *judge.Record { return run.records.of(c) }

// Records gives the cases that have an outcome, in the order of the plan.
func (run *Run) Records() iter.Seq2[*plan.Case, *judge.Record] {
	return func(yield func(*plan.Case, *judge.Record) bool) {
		for _, c := range run.Cases {
			if r := run.Record(c); r != nil && !yield(c, r) {
				return
			}
		}
	}
}

// Replace replaces the record of a case.
func (run *Run) Replace(c *plan.Case, r *judge.Record) { run.records.set(c, r) }

// Stopped reports whether a failure ended the run.
func (run *Run) Stopped() bool { return run.stopped.Load() }

// Lost reports whether the target stopped answering for good.
func (run *Run) Lost() bool { return run.lost.Load() }

// workerPool says how many workers a phase has, and how many connections each needs: 1 if not
// given. A worker waits until so many are free, unless the worker pool has its connections already.
type workerPool struct {
	workers, connections int
	connected            bool
}

// phase hands the cases of a source to the next free worker. Each worker keeps one
// connection; together they never open more than the target serves. If many answers are
// missing, all workers stop until one such case was tried alone.
func (run *Run) phase(ctx context.Context, cases []*plan.Case, from source, w workerPool) {
	for from.left() && ctx.Err() == nil && !run.lost.Load() && !run.stopped.Load() {
		run.work(ctx, from, w)
		if run.timeouts.pressing() {
			run.look(ctx, cases)
		}
	}
}

// work lets workers take cases until none is left or a case must be tried alone.
func (run *Run) work(ctx context.Context, from source, w workerPool) {
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
	for ctx.Err() == nil && !run.lost.Load() && !run.stopped.Load() && !run.timeouts.pressing() {
		c := from.take()
		if c == nil {
			return
		}
		if run.wary.Load() {
			own.Fresh() // what comes before a case may be why it is not answered
		}
		run.one(ctx, c, own, Timeout(busy.Load()))
		from.done(c)
	}
}

// source hands out the cases of a phase to its workers.
type source interface {
	// take returns a case, or nil if there is none that a further worker may try.
	take() *plan.Case
	// done ends a case that was taken.
	done(c *plan.Case)
	// left reports whether there are cases that nobody took.
	left() bool
}

// row gives one case after the other.
type row struct {
	cases []*plan.Case
	next  atomic.Int64
}

func (r *row) take() *plan.Case {
	if at := int(r.next.Add(1)) - 1; at < len(r.cases) {
		return r.cases[at]
	}
	return nil
}

func (r *row) done(*plan.Case) {}

func (r *row) left() bool { return int(r.next.Load()) < len(r.cases) }

// queues gives no two cases of one queue at the same time, and otherwise the first that is
// left. A queue is all cases about resources of one family.
type queues struct {
	mu    sync.Mutex
	all   []*queue
	queue map[*plan.Case]*queue
}

type queue struct {
	cases []*plan.Case
	at    []int // their places in the phase
	taken bool
}

// newQueues sorts cases into queues.
func (run *Run) newQueues(cases []*plan.Case) *queues {
	if run.families == nil {
		run.families = run.Target.Reach.Families()
	}
	out := &queues{queue: map[*plan.Case]*queue{}}
	of := map[int]*queue{}
	for i, c := range cases {
		n := run.families[c.Op.First()]
		if of[n] == nil {
			of[n] = &queue{}
			out.all = append(out.all, of[n])
		}
		l := of[n]
		l.cases, l.at = append(l.cases, c), append(l.at, i)
		out.queue[c] = l
	}
	return out
}

func (l *queues) take() *plan.Case {
	l.mu.Lock()
	defer l.mu.Unlock()
	var first *queue
	for _, one := range l.all {
		if !one.taken && len(one.cases) > 0 && (first == nil || one.at[0] < first.at[0]) {
			first = one
		}
	}
	if first == nil {
		return nil // whoever has the other queues goes on with them
	}
	c := first.cases[0]
	first.cases, first.at, first.taken = first.cases[1:], first.at[1:], true
	return c
}

func (l *queues) done(c *plan.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue[c].taken = false
}

func (l *queues) left() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.all {
		if len(one.cases) > 0 {
			return true
		}
	}
	return false
}

// apart tries cases beside which no other may make or delete resources of the same family.
// A target may connect resources in ways that its document does not tell: what fails, or
// cannot be played, is tried again beside nothing at all, and only that counts.
func (run *Run) apart(ctx context.Context, cases []*plan.Case, workers int) {
	list := run.newQueues(cases)
	beside := len(list.all) > 1 && workers > 1
	run.phase(ctx, cases, list, workerPool{workers: workers})
	own := run.Target.Client.Session()
	defer own.Close()
	for _, c := range cases {
		r := run.records.of(c)
		if !beside || r == nil || !disturbed(r) || run.lost.Load() {
			continue
		}
		again := &judge.Record{Why: EndedReason}
		if ctx.Err() == nil {
			again = run.Try(ctx, c, run.Target.Identity(run.Target.RetryOf(c)), own, 1)
		}
		if run.records.set(c, again); len(r.Failures) > 0 && len(again.Failures) == 0 {
			run.failed--
		}
	}
}

// disturbed reports whether other cases may be the reason for the outcome of one.
func disturbed(r *judge.Record) bool {
	return len(r.Failures) > 0 || strings.HasPrefix(r.Why, errNoScenario.Error())
}

// ExhaustedReason says why a case was not tried if its operation cannot get another resource.
const ExhaustedReason = "what it is about takes no more requests: name another one with --value or --values"

// spent reports whether the answers of a case say nothing about it, and it cannot get another resource.
func (run *Run) spent(ctx context.Context, c *plan.Case, out []judge.Played, own explore.Session) bool {
	return run.forgotten(ctx, out, own) || !run.renewable(c) && run.exhausted(ctx, c, out, own)
}

// renewable reports whether a case can get another resource than the one that it was about.
func (run *Run) renewable(c *plan.Case) bool {
	r := run.Target.Facts.Of(c.Op).Reached
	return r != nil && r.Renewable()
}

// exhausted reports whether a request was refused because the resource that the cases of its operation
// share takes no more: a team may have so many members, a room be booked so often. Its answers
// say nothing about a case.
func (run *Run) exhausted(ctx context.Context, c *plan.Case, out []judge.Played, own explore.Session) bool {
	r := run.Target.Facts.Of(c.Op).Reached
	if r == nil || r.Own && r.Renewable() {
		return false
	}
	i := slices.IndexFunc(out, func(p judge.Played) bool {
		return conflict(p, c.Class.Expected == message.Accept || p.Sent.Expectation() == message.Accept, r.Own)
	})
	if i < 0 {
		return false
	}
	return run.Target.TakesNoMore(ctx, own, c.Op, out[i].Step.Message.Bound, out[i].Exchange.Status())
}

// over returns the place of a request that was refused because the resource that the cases of its
// operation share is not there any more, also on another connection: it may live for some seconds
// alone. It returns -1 if there is none.
func (run *Run) over(ctx context.Context, c *plan.Case, out []judge.Played, own explore.Session) int {
	r := run.Target.Facts.Of(c.Op).Reached
	if r == nil || r.Own || !r.Renewable() || c.Class.Phase == plan.Scenarios {
		return -1
	}
	i := slices.IndexFunc(out, func(p judge.Played) bool {
		m, e := p.Step.Message, p.Exchange
		if m.Op.First() != c.Op.First() || e.Status() != http.StatusNotFound && e.Status() != http.StatusGone || m.Op.Response(e.Status()) == nil {
			return false
		}
		for path, v := range m.Bound {
			if at := m.At(path); at == nil || !jsontree.Equal(at, v) {
				return false // it names another one
			}
		}
		return len(m.Bound) > 0
	})
	if i < 0 {
		return i
	}
	if own.Fresh(); !run.Target.TakesNoMore(ctx, own, c.Op, out[i].Step.Message.Bound, out[i].Exchange.Status()) {
		return -1
	}
	return i
}

// forgotten reports whether a request was refused that has a value which the target accepted
// before and no longer accepts: it may take each value only so often.
func (run *Run) forgotten(ctx context.Context, out []judge.Played, own explore.Session) bool {
	return slices.ContainsFunc(out, func(p judge.Played) bool {
		e := p.Exchange
		return e.Status()/100 == 4 && p.Checked != nil && p.Checked.Reason != nil && !run.Target.KeepsKnown(ctx, own, p.Step.Message)
	})
}

// conflict reports whether an answer is a documented refusal because of the state of a
// thing, or because it holds no more. For a valid request, more statuses count, and 400 too if
// it is one of many that change the same thing.
func conflict(p judge.Played, valid, changes bool) bool {
	op, e := p.Step.Message.Op, p.Exchange
	if e.Failure != nil {
		return false
	}
	switch status := e.Status(); status {
	case http.StatusRequestEntityTooLarge, http.StatusPaymentRequired:
		return op.Lists(status) != nil
	case http.StatusForbidden, http.StatusUnprocessableEntity:
		return valid && op.Response(status) != nil
	case http.StatusBadRequest:
		return valid && changes && op.Response(status) != nil
	default:
		return op.Conflict(status)
	}
}
