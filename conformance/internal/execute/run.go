// Package execute sends the cases of a plan. It has workers, sessions and
// sequences, and tries again what was dropped or timed out. New makes a Run, All
// executes it, and Record returns the outcome of a case.
package execute

import (
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// Run sends the cases of a plan to a target and keeps what the rules say of the
// answers.
type Run struct {
	Target *explore.Target
	Judge  *judge.Judge
	Settings
	// Cases are those that the selection keeps, in the order of the plan.
	Cases   []*plan.Case
	records records
	hangs   hangs
	waits   waits
	stopped atomic.Bool // Stops says that a failure is enough
	lost    atomic.Bool // the target stopped answering for good
	wary    atomic.Bool // it stops answering on connections that it keeps
	begun   atomic.Int64
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
	// reserved is when the current stage stops trying what is not the first of its kind; nil if
	// the run has no time limit.
	reserved atomic.Pointer[time.Time]
	final    atomic.Bool                // what is left out now is not tried any more
	rounds   map[*plan.Case]int         // of the cases; nil before the first phase
	families map[*openapi.Operation]int // of operations about the same things
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
	return &Run{Target: t, Judge: j, Settings: s, Cases: cases, settled: settled}
}

// Record returns the outcome of a case, or nil if it was not tried.
func (run *Run) Record(c *plan.Case) *judge.Record { return run.records.of(c) }

// Replace replaces the record of a case.
func (run *Run) Replace(c *plan.Case, r *judge.Record) { run.records.set(c, r) }

// Stopped reports whether a failure ended the run.
func (run *Run) Stopped() bool { return run.stopped.Load() }

// Lost reports whether the target stopped answering for good.
func (run *Run) Lost() bool { return run.lost.Load() }
