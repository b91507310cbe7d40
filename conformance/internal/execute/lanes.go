package execute

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

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

// lanes gives no two cases of one lane at the same time, and otherwise the first that is
// left. A lane is all cases about things of one family.
type lanes struct {
	mu   sync.Mutex
	all  []*lane
	lane map[*plan.Case]*lane
}

type lane struct {
	cases []*plan.Case
	at    []int // their places in the phase
	taken bool
}

// newLanes sorts cases into lanes.
func (run *Run) newLanes(cases []*plan.Case) *lanes {
	if run.families == nil {
		run.families = run.Target.Reach.Families()
	}
	out := &lanes{lane: map[*plan.Case]*lane{}}
	of := map[int]*lane{}
	for i, c := range cases {
		n := run.families[c.Op.First()]
		if of[n] == nil {
			of[n] = &lane{}
			out.all = append(out.all, of[n])
		}
		l := of[n]
		l.cases, l.at = append(l.cases, c), append(l.at, i)
		out.lane[c] = l
	}
	return out
}

func (l *lanes) take() *plan.Case {
	l.mu.Lock()
	defer l.mu.Unlock()
	var first *lane
	for _, one := range l.all {
		if !one.taken && len(one.cases) > 0 && (first == nil || one.at[0] < first.at[0]) {
			first = one
		}
	}
	if first == nil {
		return nil // whoever has the other lanes goes on with them
	}
	c := first.cases[0]
	first.cases, first.at, first.taken = first.cases[1:], first.at[1:], true
	return c
}

func (l *lanes) done(c *plan.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lane[c].taken = false
}

func (l *lanes) left() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.all {
		if len(one.cases) > 0 {
			return true
		}
	}
	return false
}

// apart tries cases beside which no other may make or delete things of the same family.
// A target may connect things in ways that its document does not tell: what fails, or
// cannot be played, is tried again beside nothing at all, and only that counts.
func (run *Run) apart(ctx context.Context, cases []*plan.Case, workers int) {
	list := run.newLanes(cases)
	beside := len(list.all) > 1 && workers > 1
	run.phase(ctx, cases, list, crew{workers: workers})
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
	return len(r.Failures) > 0 || strings.HasPrefix(r.Why, errNoLife.Error())
}
