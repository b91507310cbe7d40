package judge

import (
	"slices"
	"sync"
	"time"
)

// pace measures how fast the target answers.
type pace struct {
	mu      sync.Mutex
	took    []time.Duration
	slowest time.Duration
	// justified is what justifies gave when looked answers were known.
	justified time.Duration
	looked    int
	lockouts  time.Duration // waited for targets that throttle wrong credentials
}

const (
	paceKept = 512 // answers that are remembered
	paceStep = 32  // further ones after which the pace is looked at anew
)

func (p *pace) answered(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowest = max(p.slowest, d)
	if len(p.took) < paceKept {
		p.took = append(p.took, d)
	}
}

func (p *pace) median() time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	s := slices.Clone(p.took)
	slices.Sort(s)
	return s[len(s)/2]
}

func (p *pace) summary() (median, slowest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.median(), p.slowest
}

// affords tells whether the run may wait so long for a target that throttles
// wrong credentials, and counts the wait.
func (p *pace) affords(d time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lockouts+d > lockoutWait {
		return false
	}
	p.lockouts += d
	return true
}

// justifies is a wait that nearly every answer so far came within.
func (p *pace) justifies() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.took); n >= p.looked+paceStep || p.looked == 0 && n > 0 {
		s := slices.Clone(p.took)
		slices.Sort(s)
		p.justified, p.looked = max(paceFactor*s[n/2], 2*s[n*99/100]), n
	}
	return p.justified
}
