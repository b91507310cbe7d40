// Package pace decides when a request may leave: no faster than the target, the
// user and the memory of this machine allow.
//
// Throttle learns from answers that ask to wait, Meter measures how fast the target
// answers, and Flight bounds what is in flight at the same time.
package client

import (
	"slices"
	"sync"
	"time"

	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Meter measures how fast the target answers.
type Meter struct {
	mu      sync.Mutex
	took    []time.Duration
	all     Histogram
	slowest time.Duration
	// justified caches the result of Justifies when looked answers were known.
	justified time.Duration
	looked    int
	lockouts  time.Duration // waited for targets that throttle wrong credentials
}

const (
	paceKept = 512 // answers that are remembered
	paceStep = 32  // further ones after which the pace is looked at anew
)

// Answered records how long an answer took.
func (p *Meter) Answered(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowest = max(p.slowest, d)
	p.all.Add(d, 1)
	if len(p.took) < paceKept {
		p.took = append(p.took, d)
	}
}

// Median returns the median of the recorded times, or 0 if there are none.
func (p *Meter) Median() time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	s := slices.Clone(p.took)
	slices.Sort(s)
	return s[len(s)/2]
}

// Summary returns the median and the longest time.
func (p *Meter) Summary() (median, slowest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Median(), p.slowest
}

// Report writes how long all answers took into the times of a report.
func (p *Meter) Report(into *report.Times) {
	p.mu.Lock()
	defer p.mu.Unlock()
	into.Slowest = p.slowest
	p.all.Report(into)
}

// Affords reports whether the run may wait so long for a target that throttles
// wrong credentials, and adds the wait to the total.
func (p *Meter) Affords(d time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lockouts+d > limits.LockoutWait {
		return false
	}
	p.lockouts += d
	return true
}

// Justifies returns a wait within which nearly every answer so far came.
func (p *Meter) Justifies() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.took); n >= p.looked+paceStep || p.looked == 0 && n > 0 {
		s := slices.Clone(p.took)
		slices.Sort(s)
		p.justified, p.looked = max(limits.PaceFactor*s[n/2], 2*s[n*99/100]), n
	}
	return p.justified
}
